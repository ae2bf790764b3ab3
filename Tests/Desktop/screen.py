"""What is on the screen, by what programs tell assistive technology, and as pixels."""

import subprocess
import time
from typing import Callable, Iterator, List, Optional, Tuple, TypeVar

import gi

gi.require_version("Atspi", "2.0")
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import Atspi, GdkPixbuf, GLib  # noqa: E402

import windows  # noqa: E402
from desktop_session import wait, wait_briefly  # noqa: E402

Element = Atspi.Accessible
Result = TypeVar("Result")


# What is never looked into: it is large, or there is nothing in it.
_PASSED_OVER = (
    Atspi.Role.MENU_BAR, Atspi.Role.SCROLL_BAR, Atspi.Role.IMAGE, Atspi.Role.LABEL,
    Atspi.Role.SEPARATOR)
_PASSED_OVER_BY_NAME = {Atspi.Role.LIST: "Sidebar", Atspi.Role.TOOL_BAR: "NautilusToolbar"}


def elements(
    parent: Optional[Element] = None, closed: Optional[str] = None,
) -> Iterator[Element]:
    """All that is below an element, or anywhere; what vanishes meanwhile is left out.

    Elements of the role `closed` are not looked into.
    """
    parent = parent or Atspi.get_desktop(0)
    try:
        role = parent.get_role()
        name = _PASSED_OVER_BY_NAME.get(role)
        if role in _PASSED_OVER or name and parent.get_name() == name:
            return
        if role == Atspi.Role.APPLICATION:
            # All else may change. Each question is an exchange of messages.
            parent.set_cache_mask(Atspi.Cache.ROLE)
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
            if not closed or role_of(child) != closed:
                yield from elements(child, closed)


def text_of(element: Element) -> str:
    """The text of a label or a cell."""
    try:
        return element.get_name() or ""
    except GLib.Error:
        return ""


def role_of(element: Element) -> str:
    try:
        return Atspi.role_get_name(element.get_role())
    except GLib.Error:
        return ""


def is_showing(element: Element) -> bool:
    """Whether it is in view, where its toolkit tells: GTK 4 does not."""
    try:
        program = element.get_application()
        if program is not None and (program.get_toolkit_version() or "").startswith("4."):
            return True
        return element.get_state_set().contains(Atspi.StateType.SHOWING)
    except GLib.Error:
        return False


def is_focused(element: Element) -> bool:
    """Whether it has the keys."""
    try:
        return element.get_state_set().contains(Atspi.StateType.FOCUSED)
    except GLib.Error:
        return False


def all_named(text: str, *roles: str, below: Optional[Element] = None) -> List[Element]:
    return [
        element for element in elements(below)
        if (not roles or role_of(element) in roles) and text_of(element) == text]


def named(text: str, *roles: str, below: Optional[Element] = None) -> Optional[Element]:
    """The element with a text; one that is shown, where there are several."""
    found = None
    for element in elements(below):
        if (not roles or role_of(element) in roles) and text_of(element) == text:
            found = found or element
            if is_showing(element):
                return element
    return found


def wait_for(text: str, *roles: str) -> Element:
    return wait(lambda: named(text, *roles), f"{text!r} on the screen")


def button(label: str) -> Element:
    """A button with an underlined letter, which GTK 4 tells, too."""
    names = label, f"_{label} {label}"
    return wait(
        lambda: next(filter(None, (named(name, "push button") for name in names)), None),
        f"the button {label!r}")


def wait_until_shown(text: str, *roles: str) -> Element:
    """Waits for what may be there before it can be seen."""
    def shown() -> Optional[Element]:
        element = named(text, *roles)
        return element if element and is_showing(element) else None

    return wait(shown, f"{text!r} to be shown")


def act_until(
    condition: Callable[[], Optional[Result]], action: Callable[[], object], what: str,
    patience: float = 10.0,
) -> Result:
    """Does something until a condition holds: a click or a key may come too early to be taken."""
    def act_and_look() -> Optional[Result]:
        result = condition()
        if result:
            return result
        try:
            action()
        except (GLib.Error, subprocess.SubprocessError):  # what it is done to has just gone
            pass
        return wait_briefly(condition, patience)

    return wait(act_and_look, what)


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


def type_into(title: str, text: str) -> None:
    """Types it in place of what stands there."""
    windows.focus(f"^{title}$")
    press("ctrl+a")
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
    return sum(1 for _ in pixels(path, place, colour))


def pixels(
    path: str, place: Tuple[int, int, int, int], colour: Tuple[int, int, int],
) -> Iterator[Tuple[int, int]]:
    """Where the pixels of a picture in a place are that have a colour, or nearly."""
    picture = GdkPixbuf.Pixbuf.new_from_file(path)
    data, stride, size = picture.get_pixels(), picture.get_rowstride(), picture.get_n_channels()
    left, top, width, height = place
    for row in range(max(top, 0), min(top + height, picture.get_height())):
        for column in range(max(left, 0), min(left + width, picture.get_width())):
            start = row * stride + column * size
            if all(abs(data[start + part] - colour[part]) < 16 for part in range(3)):
                yield column, row


def brightness(path: str, place: Tuple[int, int, int, int]) -> float:
    """How bright a place of a picture is, from 0 to 1."""
    picture = GdkPixbuf.Pixbuf.new_from_file(path).new_subpixbuf(*place)
    data = picture.scale_simple(1, 1, GdkPixbuf.InterpType.BILINEAR).get_pixels()
    return sum(data[:3]) / 765


def settle(seconds: float = 1.0) -> None:
    """For what must not happen: it gets the time to."""
    time.sleep(seconds)
