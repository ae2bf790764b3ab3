"""The emblems of files."""

import functools
from typing import Dict, Optional

from docsource_desktop.answer import Answer
from docsource_desktop.applications import applications
from docsource_desktop.host import GTK, Gdk, Gtk

# In the theme these are emblem-docsource and so on.
GENERIC = "docsource"
"""The emblem of an application without an icon."""
MARKED = "docsource-marked"
"""The emblem of a file that says where it came from, but names no application."""
DAMAGED = "docsource-damaged"
DOUBTFUL = "docsource-doubtful"
"""The emblem of a file with marks that contradict each other."""


class Emblems:
    """The names of emblems in the icon theme."""

    _REMEMBERED = 4096

    def __init__(self) -> None:
        self._names: Dict[str, str] = {}
        applications.on_change(self._names.clear)

    @functools.cached_property
    def _theme(self) -> Gtk.IconTheme:
        """The icon theme of the display, which does not exist yet when the module is loaded."""
        if GTK == "4.0":
            theme = Gtk.IconTheme.get_for_display(Gdk.Display.get_default())
        else:
            theme = Gtk.IconTheme.get_default()
        theme.connect("changed", lambda *_: self._names.clear())
        return theme

    def of(self, answer: Answer) -> Optional[str]:
        """The emblem for what a file says."""
        if answer.damage is not None and answer.source is None:
            return DAMAGED
        if answer.is_doubtful:
            return DOUBTFUL
        application = answer.application
        if application is not None:
            return self.name(application.identifier)
        return MARKED if answer.parts else None

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
        installed = applications.find(identifier)
        if installed is None:
            # Without an application, a single word could be any of the theme's own icons.
            names = [identifier] if "." in identifier else []
        else:
            names = [name for name in (installed.icon, identifier) if name]
        return next((name for name in names if self._theme.has_icon(name)), GENERIC)


emblems = Emblems()
