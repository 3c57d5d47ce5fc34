"""`python -m stillpool`: the command, where no folder of programs is on the path."""

from .console import stillpool

if __name__ == "__main__":
    stillpool()
