"""`python -m narrator`, and the `narrator` command."""

from __future__ import annotations

import signal


def run() -> None:
    """Run the command; Ctrl-C ends it without a word even while it is still being loaded."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from narrator.cli import main
    from narrator.cli.ending import finish

    try:
        main(prog_name="narrator")
    except SystemExit as over:
        finish(over.code)
        raise


if __name__ == "__main__":
    run()
