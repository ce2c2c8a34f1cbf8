"""What planning is made of: supposed truths, goals, and the number of cases that reaches a goal."""
