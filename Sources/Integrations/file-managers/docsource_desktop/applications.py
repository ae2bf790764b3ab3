"""The installed applications, by the identifiers that files name."""

from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from gi.repository import Gio

UNKNOWN = "application-x-executable"
"""The name of the icon of an application that is not known."""


class Installed(NamedTuple):
    """An installed application."""

    name: str
    """Its name in the user's language."""
    stored_name: str
    """Its name in no language, as docsource stores it."""
    icon: Optional[str]
    """The name of its icon in the theme."""


class Applications:
    """The installed applications, as long as none is installed or removed."""

    _REMEMBERED = 4096

    def __init__(self) -> None:
        self._known: Dict[str, Optional[Installed]] = {}
        self._listeners: List[Callable[[], object]] = []
        self._monitor = Gio.AppInfoMonitor.get()
        self._monitor.connect("changed", self._changed)

    def _changed(self, *_: object) -> None:
        self._known.clear()
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], object]) -> None:
        self._listeners.append(listener)

    def find(self, identifier: Optional[str]) -> Optional[Installed]:
        """The application with an identifier, which is untrusted."""
        if not identifier or "/" in identifier or "\0" in identifier:
            return None
        if identifier not in self._known:
            if len(self._known) >= self._REMEMBERED:
                self._known.clear()
            self._known[identifier] = _installed(identifier)
        return self._known[identifier]

    def opens(self, identifier: Optional[str], media_type: Optional[str]) -> bool:
        """Whether the application with an identifier declares a type, or a general type of it."""
        if not media_type or self.find(identifier) is None:
            return False
        found = entry(identifier or "")
        return found is not None and any(
            Gio.content_type_is_a(media_type, one) for one in found.get_supported_types() or [])

    def name(self, identifier: Optional[str], stored: Optional[str]) -> Optional[str]:
        """What to call an application: in the user's language, if the stored name is its own."""
        installed = self.find(identifier)
        if installed is not None and stored in (None, "", installed.stored_name):
            return installed.name
        return stored or identifier


def entry(identifier: str) -> Optional[Gio.DesktopAppInfo]:
    try:
        return Gio.DesktopAppInfo.new(f"{identifier}.desktop")
    except TypeError:  # there is none
        return None


def _installed(identifier: str) -> Optional[Installed]:
    found = entry(identifier)
    if found is None:
        return None
    icon = found.get_icon()
    names: Tuple[str, ...] = tuple(icon.get_names()[:1]) if isinstance(icon, Gio.ThemedIcon) else ()
    return Installed(
        found.get_name(), found.get_string("Name") or found.get_name(), names[0] if names else None)


applications = Applications()
