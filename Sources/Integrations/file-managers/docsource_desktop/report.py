"""Reports what the file manager is given, for tests, and what went wrong."""

import functools
import json
import os
import sys
from typing import Callable, Set, Tuple

_path = os.environ.get("DOCSOURCE_FILE_MANAGER_LOG")
_told: Set[Tuple[str, str]] = set()


def report(event: str, **values: object) -> None:
    """Appends a JSON object to the file named by the environment."""
    if _path:
        with open(_path, "a", encoding="utf-8") as log:
            log.write(json.dumps({"event": event, **values}) + "\n")


def guarded(fallback: Callable[[], object] = lambda: None) -> Callable[[Callable], Callable]:
    """Keeps exceptions from the file manager, and reports each kind once."""

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def call(*arguments: object) -> object:
            try:
                return function(*arguments)
            except Exception as error:
                kind = function.__name__, type(error).__name__
                if kind not in _told:
                    _told.add(kind)
                    print(f"docsource: {kind[0]}: {kind[1]}: {error}", file=sys.stderr)
                return fallback()
        return call

    return decorate
