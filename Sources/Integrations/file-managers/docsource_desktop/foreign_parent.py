"""Puts a dialog above a window of another program."""

import ctypes
import ctypes.util
from typing import Any

import gi

_REPLACE = 0
_ATOM = 4


def attach(window: Any, parent: str) -> None:
    """Makes a realized window transient for one of the file manager. As good as it can be done.

    `parent` is `x11:` with the number of a window, or `wayland:` with an exported handle.
    """
    system, _colon, handle = parent.partition(":")
    version = gi.get_required_version("Gdk")
    window.get_display().sync()  # the other connection, too, then knows the window
    surface = window.get_surface() if version == "4.0" else window.get_window()
    try:
        if system == "x11":
            gi.require_version("GdkX11", version)
            from gi.repository import GdkX11
            kind = GdkX11.X11Surface if version == "4.0" else GdkX11.X11Window
            if isinstance(surface, kind):
                _attach_on_x11(surface.get_xid(), int(handle, 16))
        elif system == "wayland" and version == "4.0":
            gi.require_version("GdkWayland", version)
            from gi.repository import GdkWayland
            if isinstance(surface, GdkWayland.WaylandToplevel):
                surface.set_transient_for_exported(handle)
    except (ImportError, OSError, ValueError):  # the dialog then stands alone
        pass


def _attach_on_x11(window: int, parent: int) -> None:
    """Tells the window manager by a connection of our own: no version of Gtk has it in Python."""
    library = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    library.XOpenDisplay.restype = ctypes.c_void_p
    library.XInternAtom.restype = ctypes.c_ulong
    display = library.XOpenDisplay(None)
    if not display:
        return
    display = ctypes.c_void_p(display)
    atoms = [
        ctypes.c_ulong(library.XInternAtom(display, name, 0))
        for name in (b"_NET_WM_WINDOW_TYPE", b"_NET_WM_WINDOW_TYPE_DIALOG")]
    library.XSetTransientForHint(display, ctypes.c_ulong(window), ctypes.c_ulong(parent))
    library.XChangeProperty(
        display, ctypes.c_ulong(window), atoms[0], ctypes.c_ulong(_ATOM), 32, _REPLACE,
        ctypes.byref(atoms[1]), 1)
    library.XSync(display, 0)
    library.XCloseDisplay(display)
