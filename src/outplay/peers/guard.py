"""Run as a process of its own: start a program, forward its input, and end it when the input closes.

If the process that started the guard is killed, it cannot end the program itself, but the pipe closes.
"""

import contextlib
import signal
import subprocess
import sys


def main(command: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this
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
