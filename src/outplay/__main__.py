"""`python -m outplay`, and the command `outplay`."""

import os

from outplay.ui import interrupt


def run() -> None:
    """Load the command line and run it; a Ctrl-C while it is being loaded ends it, too, without a traceback."""
    # NumPy's products are small here: further threads would only wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from outplay.cli import run as run_command
    except KeyboardInterrupt:
        interrupt.leave()
    run_command()


if __name__ == "__main__":
    run()
