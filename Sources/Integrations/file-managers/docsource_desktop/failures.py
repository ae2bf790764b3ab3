"""What failed, in sentences for people. What programs reported is for the session's log."""

import os
import re
from typing import Callable, Dict, Iterable, List, NamedTuple, Optional, Tuple

from documentsource import escaped

from docsource_desktop.places import ngettext as _n
from docsource_desktop.places import text as _

SHOWN = 10
"""The most reasons that a dialog lists."""
_LIMIT = 4096
"""The most characters of a report that are looked at."""


class Failure(NamedTuple):
    """One thing that could not be done."""

    reason: str
    """In the user's language, without the file; empty if only the report says it."""
    report: str
    """What the log of the session gets."""
    file: Optional[bytes] = None
    """The file that it is about; None for all of them."""


class Message(NamedTuple):
    """What a dialog says: which files, and why."""

    title: str
    reasons: List[str]


def base_name(file: bytes) -> str:
    """The name of a file for a sentence."""
    path = file.rstrip(b"/")
    return escaped(os.fsdecode(os.path.basename(path) or file))


_TITLES: Dict[str, Tuple[Callable[[], str], Callable[[int], str]]] = {
    "tag": (
        lambda: _("“{}” could not be tagged"),
        lambda count: _n("{} file could not be tagged", "{} files could not be tagged", count)),
    "remove": (
        lambda: _("The source of “{}” could not be removed"),
        lambda count: _n(
            "The source of {} file could not be removed",
            "The sources of {} files could not be removed", count)),
    "undo": (
        lambda: _("The change of “{}” could not be undone"),
        lambda count: _n(
            "The change of {} file could not be undone",
            "The changes of {} files could not be undone", count)),
    "share": (
        lambda: _("“{}” could not be shared"),
        lambda count: _n("{} file could not be shared", "{} files could not be shared", count)),
    "open": (
        lambda: _("“{}” could not be opened in the application it came from"),
        lambda count: _n(
            "{} file could not be opened in the application it came from",
            "{} files could not be opened in the applications they came from", count)),
}


def message(verb: str, failures: List[Failure], files: List[bytes]) -> Message:
    """What to say of failures among files: the file's name, or how many they are, and why."""
    failed = {one.file for one in failures}
    affected = files if None in failed else [file for file in files if file in failed] or files
    if verb == "watch":
        title = _("The setting could not be changed")
    elif len(affected) == 1:
        title = _TITLES[verb][0]().format(base_name(affected[0]))
    else:
        title = _TITLES[verb][1](len(affected)).format(len(affected))
    return Message(title, _reasons(failures, len(affected)))


def _reasons(failures: List[Failure], count: int) -> List[str]:
    """A line for each reason, with the files that it holds for if there are several reasons."""
    by_reason: Dict[str, List[Failure]] = {}
    for one in failures:
        by_reason.setdefault(one.reason or _unknown(), []).append(one)
    if len(by_reason) == 1 or count == 1:
        return list(by_reason)[:SHOWN]
    lines = []
    for reason, those in by_reason.items():
        file = those[0].file
        if file is None:
            lines.append(reason)
        elif len(those) == 1:
            lines.append(_("“{}”: {}").format(base_name(file), reason))
        else:
            number = len(those)
            lines.append(_n("{} file: {}", "{} files: {}", number).format(number, reason))
    return lines[:SHOWN]


def _unknown() -> str:
    return _("The reason is in the log of your session, in English")


def missing(files: List[bytes]) -> List[bytes]:
    """The files that do not exist."""
    found = []
    for file in files:
        try:
            os.lstat(file)
        except (FileNotFoundError, NotADirectoryError):
            found.append(file)
        except OSError:  # whoever opens it says why that fails
            pass
    return found


def message_of_missing(files: List[bytes]) -> Message:
    count = len(files)
    if count == 1:
        return Message(
            _("“{}” does not exist").format(base_name(files[0])),
            [_("It may have been renamed, moved or deleted.")])
    return Message(
        _n("{} file does not exist", "{} files do not exist", count).format(count),
        [_("They may have been renamed, moved or deleted.")])


# What docsource and its companions report, and what it means.
_KNOWN: List[Tuple[str, Callable[[], str]]] = [
    (r".*no such file or directory", lambda: _("The file does not exist")),
    (r"xdg-email is not installed", lambda: _("No program for sending mail is installed")),
    (r"(\S+) is not installed", lambda: _("The program “{}” is not installed")),
    (r"no application '(.*)' is installed", lambda: _("The application “{}” is not installed")),
    (r"says it comes from .* which is not installed here",
     lambda: _("The application that the file came from is not installed")),
    (r"no application opens ", lambda: _("No application that is installed opens this")),
    (r"cannot start (.*?): ", lambda: _("“{}” could not be started")),
    (r"cannot save in (.*): no space left on device",
     lambda: _("There is no space left in the folder “{}”")),
    (r"cannot save in (.*): ", lambda: _("Nothing can be saved in the folder “{}”")),
    (r"cannot read .*permission denied", lambda: _("You may not read the file")),
    (r".*only regular files are (?:attached|copied)",
     lambda: _("Folders cannot be shared this way")),
    (r"mail programs misread ",
     lambda: _("The name of the file has characters that mail programs misread")),
    (r".*the path (?:of the file )?is not UTF-8",
     lambda: _("The name of the file has characters that no other program can read")),
    (r"(\d+) programs would be started", lambda: _("{} programs would have to be started at once")),
    (r"no document source", lambda: _("The file has no source")),
    (r"lp failed", lambda: _("The printer did not take it; check the default printer")),
    (r"xdg-email failed|xdg-email was terminated",
     lambda: _("The program for sending mail could not be started")),
    (r"the (?:target|activity) (?:has )?failed|(\S+) failed|(\S+) was terminated",
     lambda: _("The program that was to do it failed")),
    (r"the portal ", lambda: _("The desktop did not allow it")),
    (r"docsource has a different version",
     lambda: _("Parts of docsource have different versions; install it again")),
    (r".*permission denied", lambda: _("Access is denied")),
    (r".*read-only file system", lambda: _("The file system is read-only")),
    (r".*no space left on device", lambda: _("There is no space left")),
]


def known(report: str) -> str:
    """What a report means, in the user's language; empty if that is not known."""
    for pattern, sentence in _KNOWN:
        found = re.match(pattern, report[:_LIMIT], re.DOTALL)
        if found:
            return sentence().format(*(group for group in found.groups() if group is not None))
    return ""


def reported(report: str, file: Optional[bytes] = None) -> Failure:
    return Failure(known(report), report, file)


def log_lines(failures: Iterable[Failure]) -> List[str]:
    """A line for each failure, for the session's log."""
    return [
        f"{escaped(os.fsdecode(one.file))}: {one.report}" if one.file is not None else one.report
        for one in failures]
