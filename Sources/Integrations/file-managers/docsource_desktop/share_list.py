"""What files can be shared with, as docsource tells it."""

import json
import subprocess
from typing import Dict, List, NamedTuple, Optional, Tuple

from docsource_desktop.applications import UNKNOWN
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


def _options(offer: Offer, contact: Optional[str]) -> List[str]:
    extra = [f"--vcard={contact}"] if contact is not None else []
    return ["share", f"--to={offer.target}", *extra]


def chosen_by_items(
    files: List[bytes], offer: Offer, contact: Optional[str] = None,
) -> List[str]:
    """What share items among the files choose, and the user ought to know first, in lines."""
    lines = []
    for line in _run(files, *_options(offer, contact), "--dry-run").stdout.splitlines():
        try:
            one = json.loads(line)
        except ValueError:
            continue
        for question in one.get("questions") or []:
            lines.append(_translated_question(question))
        lines += [str(path) for path in one.get("files") or []]
    return lines


def _translated_question(text: str) -> str:
    for known, translated in (
            ("Send to {}", _("Send to {}")), ("Call {}", _("Call {}")),
            ("Start {} programs", _("Start {} programs"))):
        start, _hole, end = known.partition("{}")
        if text.startswith(start) and text.endswith(end):
            return translated.format(text[len(start):len(text) - len(end)])
    return text


def share(
    files: List[bytes], offer: Offer, contact: Optional[str] = None, *, is_agreed: bool = False,
) -> List[str]:
    """Hands the files over, and returns the failures.

    is_agreed says that the user has seen what the share items choose.
    """
    agreed = ["--yes"] if is_agreed else []
    return _failures(_run(files, *_options(offer, contact), *agreed))


def open_in_source(files: List[bytes]) -> List[str]:
    """Opens the files in the applications they came from, and returns the failures."""
    return _failures(_run(files, "open", "--source"))


def _failures(run: "subprocess.CompletedProcess[bytes]") -> List[str]:
    if run.returncode == 0:
        return []
    failures = []
    for line in run.stdout.splitlines():
        try:
            one = json.loads(line)
        except ValueError:
            continue
        if "cancelled" not in (one.get("outcome"), one.get("error")):
            failures += [text for text in (one.get("error") or one.get("reason"),) if text]
    if not failures and run.returncode != 1:
        failures = run.stderr.decode(errors="replace").splitlines()[-1:]
    return failures
