"""What an answer is made of: its fields, and the forms that come from them."""
