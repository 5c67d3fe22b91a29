"""What people see: the terminal, pictures of trees. Nothing below this folder prints."""
