"""`python -m narrator`: the same as the `narrator` command."""

from narrator.cli import main

if __name__ == "__main__":
    main(prog_name="narrator")
