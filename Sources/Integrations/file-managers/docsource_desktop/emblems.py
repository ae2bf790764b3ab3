"""The emblems of applications."""

import functools
from typing import Dict, Optional

from gi.repository import Gio

from docsource_desktop.host import GTK, Gdk, Gtk

GENERIC = "docsource"
"""The name of the generic emblem; in the theme, emblem-docsource."""


class Emblems:
    """The names of emblems in the icon theme."""

    _REMEMBERED = 4096

    def __init__(self) -> None:
        self._names: Dict[str, str] = {}
        self._applications = Gio.AppInfoMonitor.get()
        self._applications.connect("changed", self._changed)

    @functools.cached_property
    def _theme(self) -> Gtk.IconTheme:
        """The icon theme of the display, which does not exist yet when the module is loaded."""
        if GTK == "4.0":
            theme = Gtk.IconTheme.get_for_display(Gdk.Display.get_default())
        else:
            theme = Gtk.IconTheme.get_default()
        theme.connect("changed", self._changed)
        return theme

    def _changed(self, *_: object) -> None:
        self._names.clear()

    def name(self, identifier: Optional[str]) -> str:
        """The emblem for the icon of the application, or the generic emblem."""
        if not identifier or "/" in identifier or "\0" in identifier:
            return GENERIC
        name = self._names.get(identifier)
        if name is None:
            if len(self._names) >= self._REMEMBERED:
                self._names.clear()
            name = self._names[identifier] = self._find(identifier)
        return name

    def _find(self, identifier: str) -> str:
        try:
            entry = Gio.DesktopAppInfo.new(f"{identifier}.desktop")
        except TypeError:  # there is none
            # Without an application, a single word could be any of the theme's own icons.
            names = [identifier] if "." in identifier else []
        else:
            icon = entry.get_icon()
            names = icon.get_names()[:1] if isinstance(icon, Gio.ThemedIcon) else []
            names = [*names, identifier]
        return next((name for name in names if self._theme.has_icon(name)), GENERIC)


emblems = Emblems()
