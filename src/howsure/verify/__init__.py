"""What a reviewer checks in a minute: closed forms, second routes, published numbers, a short coverage run."""
