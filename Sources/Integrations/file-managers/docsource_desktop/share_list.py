"""What files can be shared with, as docsource tells it."""

import json
import os
import subprocess
from typing import Dict, List, NamedTuple, Optional, Tuple

from docsource_desktop.applications import UNKNOWN
from docsource_desktop.failures import Failure, reported
from docsource_desktop.places import program
from docsource_desktop.places import text as _


class Offer(NamedTuple):
    """A line of `docsource share --list`."""

    target: str
    name: str
    icon: str
    reason: str

    group = ""

    def matches(self, words: List[str]) -> bool:
        text = f"{self.name}\n{self.target}".casefold()
        return all(word in text for word in words)


_NAMES = {
    "mail": _("Mail"), "message": _("Message"), "call": _("Call"), "map": _("Show on Map"),
    "copy": _("Copy"), "save": _("Save"), "reading-list": _("Add to Reading List"),
    "print": _("Print"), "contact": _("Assign to Contact"), "airdrop": _("Send by Bluetooth"),
    "twitter": _("Post to X (Twitter)"), "facebook": _("Post to Facebook"),
    "weibo": _("Post to Weibo"),
}

_REASONS: List[Tuple[str, str]] = [
    ("default application for {}", _("default application for {}")),
    ("declares {}", _("declares {}")),
    ("opens a more general type than {}", _("opens a more general type than {}")),
    ("its rule matches", _("its rule matches")), ("takes everything", _("takes everything")),
    ('in the menu "Send To" of Thunar', _("in the menu “Send To” of Thunar")),
    ("an action of Nemo", _("an action of Nemo")), ("accepts it", _("accepts it")),
    ("accepts {}", _("accepts {}")),
]

_KINDS: Dict[str, str] = {
    "all of these types": _("all of these types"), "files": _("files"),
    "pictures": _("pictures"), "films": _("films"), "text": _("text"), "data": _("data"),
    "file": _("files"), "image": _("pictures"), "movie": _("films"),
    "formatted text": _("formatted text"),
    "pictures and films of your collection": _("pictures and films of your collection"),
}


def reason(text: str) -> str:
    """A reason in the user's language."""
    for known, translated in _REASONS:
        start, _hole, _end = known.partition("{}")
        if text == known:
            return translated
        if "{}" in known and text.startswith(start):
            parts = text[len(start):].split(", ")
            return translated.format(", ".join(_KINDS.get(part, part) for part in parts))
    return text


def _run(files: List[bytes], *options: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [program("docsource"), *options, "--json", "--files0-from=-"],
        input=b"".join(file + b"\0" for file in files), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)


def offers(files: List[bytes]) -> List[Offer]:
    """What fits the files, the most fitting first."""
    listed = _run(files, "share", "--list")
    found = []
    try:
        if listed.returncode not in (0, 1, 2):
            raise ValueError
        for line in listed.stdout.splitlines():
            one = json.loads(line)
            if one.get("fits") is True:
                name = one["name"]
                if one.get("kind") == "activity":
                    name = _NAMES.get(one["target"], name)
                found.append(Offer(
                    one["target"], name, one.get("icon") or UNKNOWN, one.get("reason", "")))
    except (KeyError, ValueError) as error:  # docsource failed, or has another version
        raise OSError(_("docsource cannot list what the files can be shared with")) from error
    return found


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
