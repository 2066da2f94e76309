"""``python -m rankgauge``."""

from rankgauge.cli import main

if __name__ == "__main__":
    main()
