"""The file managers, and what each of them has a place for."""

import json
import os
from typing import Dict, List, NamedTuple, Optional

import evidence
import windows
from desktop_session import DesktopSession, wait

COLUMN = "DocumentSource::name"


class FileManager(NamedTuple):
    """A file manager, and how to start it with a folder."""

    name: str
    command: List[str]
    view: Optional[str]
    """The schema of its list's columns."""
    preferences: Optional[str]

    @property
    def has_column(self) -> bool:
        return self.view is not None

    @property
    def has_widgets(self) -> bool:
        """Whether its page of properties is a widget of ours, with an icon and a link."""
        return self.name != "nautilus"


def _ordinary() -> List[str]:
    """What has a program heed the modes of files, as it does for everybody but root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


ALL = {
    manager.name: manager for manager in (
        FileManager(
            "nautilus", ["nautilus", "--new-window"], "org.gnome.nautilus.list-view",
            "org.gnome.nautilus.preferences"),
        FileManager(
            "nemo", ["nemo", "--no-desktop"], "org.nemo.list-view", "org.nemo.preferences"),
        FileManager(
            "caja", ["caja", "--no-desktop"], "org.mate.caja.list-view",
            "org.mate.caja.preferences"),
        FileManager("thunar", ["thunar"], None, None),
    )
}


class RunningManager:
    """A file manager in a session, with what the extension in it reports."""

    def __init__(
        self, manager: FileManager, session: DesktopSession, folder: str, log: str,
        environment: Optional[Dict[str, str]] = None,
    ) -> None:
        self.manager = manager
        self.session = session
        self.errors = f"{session.kept}/{log}.txt"
        self._log = f"{session.place}/{log}.jsonl"
        if manager.view:
            columns = f"['name', 'size', '{COLUMN}']"
            session.set(manager.preferences, "default-folder-viewer", "list-view")
            session.set(manager.view, "default-visible-columns", columns)
            session.set(manager.view, "default-column-order", columns)
        if manager.name == "nautilus":  # many files in one window
            session.set(manager.view, "default-zoom-level", "small")
        session.accounts["the extension"] = lambda: evidence.end_of(self._log)
        self._process = session.start_needed(
            [*_ordinary(), *manager.command, f"file://{folder}"], log,
            {"DOCSOURCE_FILE_MANAGER_LOG": self._log, **(environment or {})})

    def fill_screen(self) -> None:
        """Makes the window as large as the screen, so that all files are in view."""
        windows.fill_screen("documents")

    def events(self, kind: str) -> List[dict]:
        """What was reported so far."""
        if not os.path.exists(self._log):
            return []
        with open(self._log, encoding="utf-8") as log:
            whole = log.read().rpartition("\n")[0]
        events = map(json.loads, whole.splitlines())
        return [event for event in events if event["event"] == kind]

    def last(self, kind: str, **values: object) -> Optional[dict]:
        """The last report with these values."""
        for event in reversed(self.events(kind)):
            if all(event.get(name) == value for name, value in values.items()):
                return event
        return None

    def shown(self, path: str) -> Optional[dict]:
        """What was last reported to the file manager about a file."""
        return self.last("update", file=path)

    def wait_for(self, kind: str, **values: object) -> dict:
        return wait(lambda: self.last(kind, **values), f"{kind} with {values}")

    def show_properties(self, *paths: str) -> None:
        uris = ", ".join(f"'file://{path}'" for path in paths)
        self.session.wait_for_service("org.freedesktop.FileManager1")
        self.session.run(
            "gdbus", "call", "--session", "-t", "90", "-d", "org.freedesktop.FileManager1",
            "-o", "/org/freedesktop/FileManager1",
            "-m", "org.freedesktop.FileManager1.ShowItemProperties", f"[{uris}]", "")

    def end(self) -> None:
        self.session.end(self._process)
