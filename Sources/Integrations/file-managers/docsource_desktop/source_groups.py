"""The sources of several files, each with the number of files that came from it."""

import collections
from typing import Counter, List, NamedTuple

import documentsource

from docsource_desktop import words
from docsource_desktop.places import ngettext as _n
from docsource_desktop.places import text as _

_FILES_READ = 200
"""The largest number of files that are read, since some file systems are slow."""
_SHOWN = 5
"""The largest number of sources that are listed one by one."""


class SourceGroup(NamedTuple):
    """Files that came from one application."""

    name: str
    count: int


def source_groups(files: List[bytes]) -> List[SourceGroup]:
    """The sources of those files that are read, by their numbers; files without one come last."""
    counts: Counter[str] = collections.Counter()
    without = 0
    for file in files[:_FILES_READ]:
        try:
            source = documentsource.read(file)
        except documentsource.Error as error:
            is_damaged = error.status == documentsource.Status.DAMAGED
            counts[_("(damaged)") if is_damaged else _("(cannot be read)")] += 1
            continue
        if source is None:
            without += 1
        else:
            name = words.called(source)
            counts[words.shortened(name) if name else _("(unnamed application)")] += 1
    groups = [SourceGroup(name, count) for name, count in counts.most_common()]
    return [*groups, SourceGroup(_("(no source)"), without)] if without else groups


def lines(files: List[bytes]) -> List[str]:
    """What a dialog says of the sources of several files; nothing of a single one."""
    if len(files) < 2:
        return []
    groups = source_groups(files)
    shown = [
        _n("{}: {} file", "{}: {} files", one.count).format(one.name, one.count)
        for one in groups[:_SHOWN]]
    more = sum(one.count for one in groups[_SHOWN:]) + max(len(files) - _FILES_READ, 0)
    if more:
        shown.append(_n("and {} more file", "and {} more files", more).format(more))
    return shown
