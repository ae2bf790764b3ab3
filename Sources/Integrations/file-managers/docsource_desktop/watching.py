"""The user's switch for `docsource watch`."""

import json
import os
import subprocess

from docsource_desktop.places import program
from docsource_desktop.settings import configuration_file

_LIMIT = 1 << 16
"""The most bytes of settings that are read."""


def is_on() -> bool:
    """Whether the user's new documents are tagged automatically, if the service runs."""
    try:
        with open(configuration_file("watch.json"), "rb", opener=_opener) as file:
            return json.loads(file.read(_LIMIT)).get("enabled") is True
    except (AttributeError, OSError, RecursionError, ValueError):  # none yet, or damaged
        return False


def _opener(path: str, flags: int) -> int:
    # A pipe in the file's place would keep the file manager waiting.
    return os.open(path, flags | os.O_NONBLOCK)


def turn(on: bool) -> str:
    """Turns the switch on or off, and returns why that failed, else an empty text."""
    try:
        run = _run("--enable" if on else "--disable")
    except OSError as error:  # docsource is not installed
        return str(error)
    if run.returncode == 0:
        return ""
    lines = run.stderr.decode(errors="replace").splitlines()
    return lines[-1].removeprefix("docsource: ") if lines else f"status {run.returncode}"


def is_served() -> bool:
    """Whether the service runs."""
    try:
        return "service" in json.loads(_run("--status", "--json").stdout)
    except (OSError, ValueError):  # docsource failed, or has another version
        return False


def _run(*options: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [program("docsource"), "watch", *options], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
