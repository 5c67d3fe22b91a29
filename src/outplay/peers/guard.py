"""Run by itself: start a program, hand on what comes in, and end it when nothing can come any more.

Whoever started this may be killed, and then nobody is left to say goodbye; but the pipe closes in any case.
"""

import contextlib
import signal
import subprocess
import sys


def main(command: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started this
    with subprocess.Popen(
        command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as program:
        assert program.stdin is not None
        try:
            with contextlib.suppress(OSError):
                for line in sys.stdin.buffer:
                    program.stdin.write(line)
        finally:
            program.kill()


if __name__ == "__main__":
    main(sys.argv[1:])
