"""Tells docsource-dialog above which window of the file manager it belongs."""

from typing import Callable, List, Optional

import gi

from docsource_desktop.host import GTK, Gtk
from docsource_desktop.report import guarded


def _is_dark(window: Gtk.Window) -> bool:
    """Whether the file manager is drawn light on dark."""
    context = window.get_style_context()
    for name in "window_bg_color", "theme_bg_color":
        found, colour = context.lookup_color(name)
        if found:
            return 0.3 * colour.red + 0.59 * colour.green + 0.11 * colour.blue < 0.5
    return False


def _x11(window: Gtk.Window) -> Optional[str]:
    try:
        gi.require_version("GdkX11", GTK)
        from gi.repository import GdkX11
    except (ImportError, ValueError):
        return None
    surface = window.get_surface() if GTK == "4.0" else window.get_window()
    kind = GdkX11.X11Surface if GTK == "4.0" else GdkX11.X11Window
    return f"x11:{surface.get_xid():x}" if isinstance(surface, kind) else None


def _export_on_wayland(window: Gtk.Window, then: Callable[[str], None]) -> bool:
    """Whether a handle of the window is on its way."""
    if GTK != "4.0":
        return False
    try:
        gi.require_version("GdkWayland", GTK)
        from gi.repository import GdkWayland
    except (ImportError, ValueError):
        return False
    surface = window.get_surface()
    if not isinstance(surface, GdkWayland.WaylandToplevel):
        return False
    # The handle is good as long as the window, and for several dialogs.
    return surface.export_handle(lambda _surface, handle, *_: then(f"wayland:{handle}"))


def with_parent(window: Optional[Gtk.Window], then: Callable[[List[str]], None]) -> None:
    """Calls a function with the options of docsource-dialog for a window, at once or soon."""
    if window is None:
        application = Gtk.Application.get_default()
        window = application.get_active_window() if application is not None else None
    if window is None:
        return then([])
    style = ["--dark"] if _is_dark(window) else []
    handle = _x11(window)
    if handle is not None:
        return then([f"--parent={handle}", *style])

    @guarded()
    def exported(handle: str) -> None:
        then([f"--parent={handle}", *style])

    if not _export_on_wayland(window, exported):
        then(style)
