"""`python -m kopsim`: the command line, where its script is not at hand."""

from kopsim.faces.cli import main

if __name__ == "__main__":
    main()
