"""`python -m outplay`."""

from outplay.cli import run

if __name__ == "__main__":
    run()
