"""The windows on the display, by xdotool."""

import subprocess
from typing import List, Tuple

from desktop_session import wait


def _xdotool(*words: str) -> str:
    return subprocess.run(
        ["xdotool", *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, timeout=10).stdout.strip()


def titled(title: str) -> List[str]:
    """The windows in view with such a title."""
    try:
        return _xdotool("search", "--onlyvisible", "--name", title).split()
    except subprocess.SubprocessError:  # which is how it says that there is none
        return []


def focus(title: str) -> None:
    """Gives a window the keys: without a window manager nobody else does."""

    def is_focused() -> bool:
        for window in titled(title)[:1]:
            try:
                _xdotool("windowfocus", window)
                return _xdotool("getwindowfocus", "-f") == window
            except subprocess.SubprocessError:  # it is on its way
                pass
        return False

    wait(is_focused, f"the window {title!r} to have the keys")


def fill_screen(title: str) -> None:
    """Makes windows as large as the screen, or nearly."""

    def are_large() -> bool:
        windows = titled(title)
        try:
            for window in windows:
                _xdotool("windowsize", window, "1279", "799")
            return bool(windows) and all(
                "Geometry: 1279x799" in _xdotool("getwindowgeometry", window)
                for window in windows)
        except subprocess.SubprocessError:
            return False

    wait(are_large, f"the window {title!r} to fill the screen")


def place_of(window: str) -> Tuple[int, int, int, int]:
    """A window's left and upper edge, width and height."""
    lines = _xdotool("getwindowgeometry", "--shell", window).splitlines()
    values = dict(line.split("=") for line in lines)
    left, top, width, height = (int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
    return left, top, width, height


def account() -> str:
    """A line for each window."""
    lines = []
    for window in titled(".*"):
        try:
            name = _xdotool("getwindowname", window)
            geometry = _xdotool("getwindowgeometry", window).split("\n", 1)[1].split()
        except (subprocess.SubprocessError, IndexError):
            continue
        lines.append(f"{window} {name!r} {' '.join(geometry)}")
    return "\n".join(lines) or "no windows"
