"""The user interface: the terminal, pictures of trees. Nothing below this folder prints."""
