"""What files say about where they came from.

Needs neither a file manager nor GLib: the reader of slow files uses this module, too.
"""

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

import documentsource
from documentsource import Part, PartKind, Report, Source, Status, Subject, Trust

_APPLICATION = Subject.IDENTIFIER, Subject.NAME


class Refusal(NamedTuple):
    """Why a call of the library failed."""

    status: int
    number: int
    """The error number of the system, or 0."""


class Answer(NamedTuple):
    """What a file says about where it came from. False if it says nothing."""

    source: Optional[Source] = None
    """The document source on the file itself."""
    damage: Optional[int] = None
    """The offset of the wrong byte in a damaged mark."""
    refusal: Optional[Refusal] = None
    """Why the file cannot be read."""
    parts: Tuple[Part, ...] = ()
    """The short answer of all marks. With a document source, only if asked for."""
    says: Mapping[Subject, str] = {}
    is_doubtful: bool = False
    """Whether marks contradict each other."""
    disputes: Mapping[Subject, Tuple[Tuple[str, str], ...]] = {}
    """Where marks contradict each other, the values, each with the name of a mark that has it."""
    is_witnessed: bool = False
    """Whether this machine saw the application that the document source names write the file."""

    def __bool__(self) -> bool:
        return any(value is not None for value in self[:3]) or bool(self.parts)

    @property
    def application(self) -> Optional[Source]:
        """The application, and the document in it, on the file itself or from another mark."""
        if self.source is not None:
            return self.source
        if not any(subject in self.says for subject in _APPLICATION):
            return None
        identifier, name, path = map(self.says.get, (*_APPLICATION, Subject.PATH))
        return Source(identifier, name, path, None, "")

    @property
    def origin(self) -> Optional[Part]:
        """What is shown first if no application is known."""
        return self.parts[0] if self.parts and self.application is None else None


NOTHING = Answer()


def read(path: bytes, is_whole: bool = False, has_records: bool = False) -> Answer:
    """Reads what a file says. `is_whole` reads all marks even if the file has a source, `has_records`
    also what browsers have recorded of it, and the program that its content names. Otherwise, of a
    file with a source the other marks count only if they contradict it.
    """
    source = damage = None
    try:
        source = documentsource.read(path)
    except documentsource.Error as error:
        if error.status == Status.DAMAGED:
            damage = error.offset or 0
        elif error.status == Status.NOT_FOUND:
            return NOTHING
        elif error.status != Status.NOT_SUPPORTED:  # files beside may have marks even then
            return Answer(refusal=Refusal(error.status, error.errno))
    if source is not None and not is_whole and not documentsource.may_have_more(path):
        return Answer(source)
    try:
        report = documentsource.trace(path, records=has_records, embedded=has_records)
    except documentsource.Error as error:
        is_told = source or damage is not None or error.status in (
            Status.NOT_FOUND, Status.NOT_SUPPORTED)
        refusal = None if is_told else Refusal(error.status, error.errno)
        return Answer(source, damage, refusal)
    if source is not None and not is_whole and not report.is_doubtful:
        return Answer(source)
    return Answer(
        source, _damage(report) if damage is None and not report.parts else damage, None,
        report.parts, report.says, report.is_doubtful, _disputes(report), report.is_witnessed)


def _disputes(report: Report) -> Dict[Subject, Tuple[Tuple[str, str], ...]]:
    found = {}
    for subject in sorted(report.contradictions):
        values: Dict[str, str] = {}
        for mark in report.marks:
            if mark.trust != Trust.FOREIGN and subject in mark.says:
                values.setdefault(mark.says[subject], mark.name)
        if len(values) > 1:
            found[subject] = tuple(values.items())
    return found


def _damage(report: Report) -> Optional[int]:
    """Where the first damaged mark is wrong."""
    return next((mark.offset for mark in report.marks if mark.offset is not None), None)


def plain(answer: Answer) -> List[Any]:
    """An answer as JSON can hold it."""
    says, disputes = (
        {str(int(key)): value for key, value in texts.items()}
        for texts in (answer.says, answer.disputes))
    return [*answer[:4], says, answer.is_doubtful, disputes, answer.is_witnessed]


def from_plain(values: List[Any]) -> Answer:
    source, damage, refusal, parts, says, is_doubtful, disputes, is_witnessed = values
    return Answer(
        source and Source(*source), damage, refusal and Refusal(*refusal),
        tuple(Part(PartKind(kind), *rest) for kind, *rest in parts),
        {Subject(int(key)): value for key, value in says.items()}, is_doubtful,
        {Subject(int(key)): tuple(map(tuple, value)) for key, value in disputes.items()},
        is_witnessed)
