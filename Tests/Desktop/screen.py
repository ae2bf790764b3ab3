"""What is on the screen, by what programs tell assistive technology, and as pixels."""

import subprocess
import time
from typing import Iterator, List, Optional, Tuple

import gi

gi.require_version("Atspi", "2.0")
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import Atspi, GdkPixbuf, GLib  # noqa: E402

from desktop_session import wait  # noqa: E402

Element = Atspi.Accessible


# What is large and never looked into.
_PASSED_OVER = Atspi.Role.MENU_BAR, Atspi.Role.SCROLL_BAR


def elements(parent: Optional[Element] = None) -> Iterator[Element]:
    """All that is below an element, or anywhere; what vanishes meanwhile is left out."""
    parent = parent or Atspi.get_desktop(0)
    try:
        role = parent.get_role()
        if role in _PASSED_OVER or role == Atspi.Role.LIST and parent.get_name() == "Sidebar":
            return
        if role == Atspi.Role.APPLICATION:
            parent.set_cache_mask(Atspi.Cache.NONE)
        count = min(parent.get_child_count(), 200)
    except GLib.Error:
        return
    for index in range(count):
        try:
            child = parent.get_child_at_index(index)
        except GLib.Error:
            continue
        if child is not None:
            yield child
            yield from elements(child)


def text_of(element: Element) -> str:
    """The text of a label or a cell."""
    try:
        return element.get_name() or ""
    except GLib.Error:
        return ""


def role_of(element: Element) -> str:
    try:
        return element.get_role_name()
    except GLib.Error:
        return ""


def is_showing(element: Element) -> bool:
    try:
        return element.get_state_set().contains(Atspi.StateType.SHOWING)
    except GLib.Error:
        return False


def all_named(text: str, *roles: str, below: Optional[Element] = None) -> List[Element]:
    return [
        element for element in elements(below)
        if text_of(element) == text and (not roles or role_of(element) in roles)]


def named(text: str, *roles: str, below: Optional[Element] = None) -> Optional[Element]:
    """The element with a text; one that is shown, where there are several."""
    found = all_named(text, *roles, below=below)
    return next(filter(is_showing, found), found[0] if found else None)


def wait_for(text: str, *roles: str) -> Element:
    return wait(lambda: named(text, *roles), f"{text!r} on the screen")


def wait_until_gone(text: str, *roles: str) -> None:
    wait(lambda: not all_named(text, *roles), f"{text!r} to leave the screen")


def act(element: Element) -> None:
    """Does what a click on it would do."""
    Atspi.Action.do_action(element, 0)


def place_of(element: Element) -> Tuple[int, int, int, int]:
    """Its left and upper edge, width and height. Without a window manager windows are at 0, 0."""
    place = element.get_extents(Atspi.CoordType.SCREEN)
    return place.x, place.y, place.width, place.height


def click(element: Element, button: int = 1, key: Optional[str] = None) -> None:
    left, top, width, height = place_of(element)
    # Not in the middle: the cell of a name is wide, and empty there.
    command = ["mousemove", str(left + min(width // 2, 20)), str(top + height // 2)]
    if key:
        command += ["keydown", key]
    command += ["click", str(button)]
    if key:
        command += ["keyup", key]
    subprocess.run(["xdotool", *command], check=True)


def click_at(left: int, top: int) -> None:
    subprocess.run(["xdotool", "mousemove", str(left), str(top), "click", "1"], check=True)


def focus(title: str) -> None:
    """Gives a window the keys: without a window manager nobody else does."""
    subprocess.run(
        ["xdotool", "search", "--sync", "--onlyvisible", "--name", f"^{title}$",
         "windowfocus", "--sync", "%1"], check=True, timeout=60)


def type_into(title: str, text: str) -> None:
    focus(title)
    subprocess.run(["xdotool", "type", "--delay", "40", text], check=True)


def press(*keys: str) -> None:
    subprocess.run(["xdotool", "key", *keys], check=True)


def account() -> str:
    """What programs tell assistive technology of their windows."""
    lines = []
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(index)
        if program is None:
            continue
        lines.append(text_of(program))
        for number in range(min(program.get_child_count(), 10)):
            window = program.get_child_at_index(number)
            if window is not None:
                below = sum(1 for _ in elements(window))
                lines.append(f"  {role_of(window)} {text_of(window)!r}, {below} elements")
    return "\n".join(lines) or "no programs"


def photograph(path: str) -> None:
    subprocess.run(["import", "-window", "root", path], check=True)


def count_pixels(
    path: str, place: Tuple[int, int, int, int], colour: Tuple[int, int, int],
) -> int:
    """How many pixels of a picture in a place have a colour, or nearly."""
    picture = GdkPixbuf.Pixbuf.new_from_file(path)
    data, stride, size = picture.get_pixels(), picture.get_rowstride(), picture.get_n_channels()
    left, top, width, height = place
    count = 0
    for row in range(max(top, 0), min(top + height, picture.get_height())):
        for column in range(max(left, 0), min(left + width, picture.get_width())):
            start = row * stride + column * size
            count += all(
                abs(data[start + part] - colour[part]) < 16 for part in range(3))
    return count


def settle(seconds: float = 1.0) -> None:
    """For what must not happen: it gets the time to."""
    time.sleep(seconds)
