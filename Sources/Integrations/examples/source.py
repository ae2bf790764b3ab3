#!/usr/bin/env python3
"""A small docsource in Python: marks files, and shows and removes the marks.

usage: source.py tag [-i IDENTIFIER] [-n NAME] FILE... | show FILE... | remove FILE...

Exit status: 0 for success, 1 if a file has no document source, 2 if an action fails.
"""

import argparse
import sys
from typing import List

import documentsource


def escaped(text: str) -> str:
    """Text of other programs, safe for a terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def show(file: str) -> int:
    source = documentsource.read(file)
    if source is None:
        print(f"{escaped(file)}: no document source", file=sys.stderr)
        return 1
    print(escaped(file))
    for name, value in zip(source._fields, source):
        if value is not None:
            print(f"  {name:12}  {escaped(value)}")
    return 0


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(
        description="Mark files with the application that they came from.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in "tag", "show", "remove":
        options = verbs.add_parser(verb)
        options.add_argument("file", nargs="+")
        if verb == "tag":
            options.add_argument("-i", "--identifier")
            options.add_argument("-n", "--name")
    parsed = parser.parse_args(arguments)
    status = 0
    for file in parsed.file:
        try:
            if parsed.verb == "tag":
                documentsource.write(file, identifier=parsed.identifier, name=parsed.name)
            elif parsed.verb == "show":
                status = max(status, show(file))
            else:
                status = max(status, 0 if documentsource.remove(file) else 1)
        except documentsource.Error as error:
            print(escaped(str(error)), file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
