"""What files can be shared with, as docsource tells it."""

import json
import os
import shutil
import subprocess
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from gi.repository import Gio

from docsource_desktop.applications import UNKNOWN
from docsource_desktop.failures import Failure, reported
from docsource_desktop.places import program
from docsource_desktop.places import text as _


class Offer(NamedTuple):
    """A line of `docsource share --list`."""

    target: str
    name: str
    icon: str
    detail: str
    """What it does, in the user's language; empty if nothing is to be said."""
    group: str = ""
    """What it stands below in the list."""

    is_present = False

    @property
    def shown_name(self) -> str:
        return self.name

    def matches(self, words: List[str]) -> bool:
        text = f"{self.name}\n{self.target}".casefold()
        return all(word in text for word in words)


# Of the activities, their names and what they do.
_ACTIVITIES: Dict[str, Tuple[str, str]] = {
    "mail": (_("Mail"), _("Put into a new message")),
    "message": (_("Message"), _("Put into a new text message")),
    "call": (_("Call"), _("Call this number")),
    "map": (_("Show on Map"), _("Show this place")),
    "copy": (_("Copy"), _("Put on the clipboard")),
    "save": (_("Save"), _("Make a copy in one of your folders")),
    "reading-list": (_("Add to Reading List"), _("Keep the page to read it later")),
    "print": (_("Print"), _("Print on the default printer")),
    "contact": (_("Assign to Contact"), _("Use as the picture of a contact")),
    "airdrop": (_("Send by Bluetooth"), _("Send to a device nearby")),
    "twitter": (_("Post to X (Twitter)"), _("Write a post on the web page of the service")),
    "facebook": (_("Post to Facebook"), _("Write a post on the web page of the service")),
    "weibo": (_("Post to Weibo"), _("Write a post on the web page of the service")),
}

# What the URLs of activities begin with.
_SCHEMES = {
    "mail": ("mailto",), "message": ("sms",), "call": ("tel",), "map": ("geo", "maps"),
    "twitter": ("https",), "facebook": ("https",), "weibo": ("https",),
}

# Entries of the menu "Send To" that do what an activity does.
_TWINS = {"thunar-sendto-email": "mail", "bluetooth-sendto": "airdrop"}

_SEVERAL_TYPES = "all of these types"

# How people call files of frequent types.
_TYPES: Dict[str, str] = {
    "text/plain": _("plain text documents"), "application/pdf": _("PDF documents"),
    "text/html": _("web pages"), "inode/directory": _("folders"),
    _SEVERAL_TYPES: _("all of these files"),
}

_REASONS: List[Tuple[str, Callable[[str], str]]] = [
    ("default application for ", lambda types: _opens(types, is_default=True)),
    ("declares ", lambda types: _opens(types)),
    ("opens a more general type than ", lambda _all: _("Opens files of a more general type")),
    ('in the menu "Send To" of Thunar', lambda _all: _("From the menu “Send To” of Thunar")),
    ("an action of Nemo", lambda _all: _("From the menu of Nemo")),
    ("accepts it", lambda _all: ""), ("its rule matches", lambda _all: _("Made for this")),
    ("takes everything", lambda _all: _("Takes everything")),
    ("accepts ", lambda kinds: _taken(kinds)),
]


def _opens(media_type: str, is_default: bool = False) -> str:
    """That an application opens files of a type."""
    named = _TYPES.get(media_type)
    if named is None:
        described = Gio.content_type_get_description(media_type)
        named = _("files of the type “{}”").format(described)
    return (_("Usually opens {}") if is_default else _("Opens {}")).format(named)


def _taken(kinds: str) -> str:
    """What is taken of several files; empty for anything else."""
    taken, _of, all_ = kinds.partition(" of ")
    if not (taken.isdecimal() and all_.isdecimal()):
        return ""
    return _("Takes {} of these {} files").format(taken, all_)


def reason(text: str) -> str:
    """What a reason of docsource means, in the user's language; empty if that is not known."""
    for start, translated in _REASONS:
        if text.startswith(start):
            return translated(text[len(start):])
    return ""


def _has_program(one: Dict[str, Any], files: List[bytes]) -> bool:
    """Whether the programs that an offer needs are installed."""
    target = one["target"]
    if one.get("kind") != "activity":
        # Applications, and entries of file managers, are offered only if theirs are there.
        return one.get("program") is None or shutil.which(one["program"]) is not None
    if target in _SCHEMES and not any(
            Gio.AppInfo.get_default_for_uri_scheme(scheme) for scheme in _SCHEMES[target]):
        return False
    if target == "print":
        return shutil.which("lp") is not None
    if target == "copy":
        program = "wl-copy" if os.environ.get("WAYLAND_DISPLAY") else "xclip"
        return shutil.which(program) is not None
    # Share items may have no files to be attached.
    has_files = any(not file.lower().endswith(b".xei") for file in files)
    return target != "mail" or not has_files or shutil.which("xdg-email") is not None


def _offer(one: Dict[str, Any]) -> Offer:
    target, kind = one["target"], one.get("kind")
    name, detail = one["name"], reason(one.get("reason", ""))
    if kind == "activity":
        name, detail = _ACTIVITIES.get(target, (name, detail))
    group = _("Applications") if kind in ("application", "target") else _("Actions")
    return Offer(target, name, one.get("icon") or UNKNOWN, detail, group)


def _run(files: List[bytes], *options: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [program("docsource"), *options, "--json", "--files0-from=-"],
        input=b"".join(file + b"\0" for file in files), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)


def offers(files: List[bytes]) -> List[Offer]:
    """What fits the files, the most fitting first: applications, then actions."""
    listed = _run(files, "share", "--list")
    found = []
    try:
        if listed.returncode not in (0, 1, 2):
            raise ValueError
        lines = [json.loads(line) for line in listed.stdout.splitlines()]
        fitting = [
            one for one in lines if one.get("fits") is True and _has_program(one, files)]
        activities = {one["target"] for one in fitting if one.get("kind") == "activity"}
        found = [
            _offer(one) for one in fitting
            if one.get("kind") != "send-to" or _TWINS.get(one["target"]) not in activities]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # docsource failed, or has another version
        raise OSError(_("docsource cannot list what the files can be shared with")) from error
    return sorted(found, key=lambda one: one.group != _("Applications"))


class Answers(NamedTuple):
    """What the user has chosen or agreed to besides the offer."""

    contact: Optional[str] = None
    folder: Optional[str] = None
    """Where copies are saved."""
    is_agreed: bool = False
    """Whether the user has seen what share items choose."""


def _options(offer: Offer, answers: Answers) -> List[str]:
    return [
        "share", f"--to={offer.target}",
        *([f"--vcard={answers.contact}"] if answers.contact is not None else []),
        *([f"--into={answers.folder}"] if answers.folder is not None else []),
        *(["--yes"] if answers.is_agreed else [])]


# Of ActivityPerformer.swift.
_NO_FOLDER = "user-dirs.dirs names no directory "


def tried(files: List[bytes], offer: Offer, answers: Answers) -> Tuple[List[str], bool]:
    """What share items among the files choose, and the user ought to know first, in lines; and
    whether the user is to choose the folder of copies."""
    lines = []
    needs_folder = False
    for line in _run(files, *_options(offer, answers), "--dry-run").stdout.splitlines():
        try:
            one = json.loads(line)
        except ValueError:
            continue
        for question in one.get("questions") or []:
            lines.append(_translated_question(question))
        lines += [str(path) for path in one.get("files") or []]
        needs_folder |= str(one.get("error")).startswith(_NO_FOLDER)
    return lines, needs_folder


def _translated_question(text: str) -> str:
    for known, translated in (
            ("Send to {}", _("Send to {}")), ("Call {}", _("Call {}")),
            ("Start {} programs", _("Start {} programs"))):
        start, _hole, end = known.partition("{}")
        if text.startswith(start) and text.endswith(end):
            return translated.format(text[len(start):len(text) - len(end)])
    return text


def share(files: List[bytes], offer: Offer, answers: Answers) -> List[Failure]:
    """Hands the files over, and returns the failures."""
    return _failures(_run(files, *_options(offer, answers)), files)


def open_in_source(files: List[bytes]) -> List[Failure]:
    """Opens the files in the applications they came from, and returns the failures."""
    return _failures(_run(files, "open", "--source"), files)


def _failures(
    run: "subprocess.CompletedProcess[bytes]", files: List[bytes],
) -> List[Failure]:
    if run.returncode == 0:
        return []
    failed = []
    for line in run.stdout.splitlines():
        try:
            one = json.loads(line)
        except ValueError:
            continue
        report = one.get("error") or one.get("reason")
        if report and "cancelled" not in (one.get("outcome"), report):
            file = os.fsencode(str(one.get("file")))
            # A target is handed all of the files, and is named with the first one.
            failed.append(reported(
                report, file if file in files and "target" not in one else None))
    if not failed and run.returncode != 1:
        lines = run.stderr.decode(errors="replace").splitlines()[-1:]
        failed = [reported(line.removeprefix("docsource: ")) for line in lines or [""]]
    return failed
