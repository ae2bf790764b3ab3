"""The applications that files can be tagged with."""

import collections
import json
import locale
import os
import subprocess
from typing import Any, Dict, Iterable, List, NamedTuple, Optional

import documentsource

from docsource_desktop.applications import applications, entry
from docsource_desktop.places import program
from docsource_desktop.places import text as _
from docsource_desktop.settings import state_file, write_file

_RECENT = 5
_FILES_READ = 200


class Application(NamedTuple):
    """An application that files can come from."""

    identifier: str
    name: Optional[str]
    """The name to store."""
    shown_name: str
    app_info_url: Optional[str]
    group: str = ""
    """What it stands below in the list."""
    is_present: bool = False
    """Whether all of the files have it already, so that choosing it changes nothing."""

    def matches(self, words: List[str]) -> bool:
        text = f"{self.shown_name}\n{self.name or ''}\n{self.identifier}".casefold()
        return all(word in text for word in words)


# Of the Desktop Menu Specification: settings, file managers, archivers, renamers.
_TOOLS = {
    "Settings", "FileManager", "FileTools", "Filesystem", "Archiving", "Compression"}


def _is_tool(one: dict) -> bool:
    """Whether an application writes no documents of its own: it changes settings, manages, packs or
    renames files, or no menu shows it."""
    if one.get("knownFrom") != "installed":
        return False
    found = entry(one["identifier"])
    if found is None:
        return False
    categories = (found.get_categories() or "").split(";")
    # Nemo and Caja do not have the category of file managers.
    manages_files = "Core" in categories and (
        "System" in categories or "inode/directory" in (found.get_supported_types() or []))
    return found.get_nodisplay() or manages_files or not _TOOLS.isdisjoint(categories) or (
        "rename" in one["identifier"].casefold())


def _program(identifier: str) -> str:
    """What the program of an application is called, or the end of the identifier."""
    found = entry(identifier) if "/" not in identifier and "\0" not in identifier else None
    program = os.path.basename(found.get_executable() or "") if found is not None else ""
    return program or identifier.rpartition(".")[2] or identifier


def told_apart(found: List[Application]) -> List[Application]:
    """Applications with names that differ: two of one name get those of their programs."""
    same = collections.Counter(one.shown_name.casefold() for one in found)
    programs = {
        one.identifier: _program(one.identifier) for one in found
        if same[one.shown_name.casefold()] > 1}
    titles = collections.Counter(
        (one.shown_name.casefold(), programs.get(one.identifier)) for one in found)

    def title(one: Application) -> str:
        program = programs.get(one.identifier)
        if program is None:
            return one.shown_name
        is_unique = titles[one.shown_name.casefold(), program] == 1
        return _("{} ({})").format(one.shown_name, program if is_unique else one.identifier)

    return [one._replace(shown_name=title(one)) for one in found]


def _known() -> List[Application]:
    """The applications of the user's list, the installed ones and the built-in ones."""
    listed = subprocess.run(
        [program("docsource"), "apps", "list", "--json"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE)
    known = []
    try:
        if listed.returncode not in (0, 1):
            raise ValueError
        for line in listed.stdout.splitlines():
            one = json.loads(line)
            shown = applications.name(one["identifier"], one.get("name"))
            if not _is_tool(one):
                known.append(
                    Application(one["identifier"], one.get("name"), shown, one.get("appInfoURL")))
    except (KeyError, ValueError) as error:  # docsource failed, or has another version
        raise OSError(_("docsource cannot list the applications")) from error
    return sorted(known, key=lambda one: locale.strxfrm(one.shown_name.casefold()))


def present(files: List[bytes]) -> Optional[Application]:
    """The application that all the files have already."""
    found = set()
    for file in files[:_FILES_READ]:
        try:
            source = documentsource.read(file)
        except documentsource.Error:
            source = None
        found.add(source and source[0::3] + (source.name,))
        if len(found) > 1:
            return None
    source = found.pop()
    if source is None or not source[0]:
        return None
    identifier, url, name = source
    return Application(identifier, name, applications.name(identifier, name) or identifier, url)


def _recent() -> List[Application]:
    """The applications that were chosen last, the last one first."""
    found = []
    try:
        with open(state_file(), encoding="utf-8") as lines:
            for line in lines.read(65536).splitlines()[:_RECENT]:
                one = json.loads(line)
                identifier, name, url = (
                    one.get(key) for key in ("identifier", "name", "appInfoURL"))
                if isinstance(identifier, str) and all(
                        text is None or isinstance(text, str) for text in (name, url)):
                    found.append(Application(
                        identifier, name, applications.name(identifier, name) or identifier, url))
    except (AttributeError, OSError, ValueError):  # there is none yet, or it is not ours
        pass
    return found


def remember(application: Application) -> None:
    """Puts an application first among the recent ones."""
    others = (one for one in _recent() if one.identifier != application.identifier)
    lines = [
        json.dumps({
            "identifier": one.identifier, "name": one.name, "appInfoURL": one.app_info_url})
        for one in (application, *others)]
    write_file(state_file(), "".join(f"{line}\n" for line in lines[:_RECENT]))


def _grouped(group: str, choices: Iterable[Application], known: List[Application]) \
        -> List[Application]:
    """Choices as they are known now, in a group of the list."""
    by_identifier = {one.identifier: one for one in known}
    return [by_identifier.get(one.identifier, one)._replace(group=group) for one in choices]


def choices(files: List[bytes]) -> List[Application]:
    """The applications in the order in which to offer them, each once."""
    known = _known()
    current = present(files)
    offered = [
        *(one._replace(is_present=True) for one in _grouped(
            _("Present source"), [current] if current else [], known)),
        *_grouped(_("Recently used"), _recent(), known),
        *_grouped(_("All applications"), known, known)]
    each = {}
    for one in offered:
        each.setdefault(one.identifier, one)
    return told_apart(list(each.values()))


def ranked(found: List[Any], text: str) -> List[Any]:
    """What a search has found: names that are what was typed come first, then those that begin with
    it, and with them their groups."""
    text = text.casefold()

    def rank(one: Any) -> int:
        name = one.shown_name.casefold()
        return 0 if name == text else 1 if name.startswith(text) else 2

    groups: Dict[str, int] = {}
    for one in found:
        groups[one.group] = min(groups.get(one.group, 2), rank(one))
    order = list(groups)
    return sorted(
        found, key=lambda one: (groups[one.group], order.index(one.group), rank(one)))


def typed(text: str) -> Application:
    """An application that nothing is known of but its identifier."""
    return Application(text, None, text, None)
