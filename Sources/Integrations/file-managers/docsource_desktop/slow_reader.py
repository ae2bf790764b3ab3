"""Reads what files on slow file systems say, in a process of its own.

Reads NUL-terminated paths from standard input, and writes a line of JSON for each.
"""

import base64
import json
import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# ruff: noqa: E402 (the path above makes this importable)
from docsource_desktop.answer import plain, read


def main() -> None:
    for path in sys.stdin.buffer.read().split(b"\0"):
        if path:
            answer = plain(read(path, is_whole=True))
            print(json.dumps([base64.b64encode(path).decode("ascii"), answer]), flush=True)


if __name__ == "__main__":
    main()
