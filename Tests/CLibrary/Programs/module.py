"""What the module documentsource promises, on files made in the working directory."""

import copy
import doctest
import gc
import json
import os
import pickle
import plistlib
import subprocess
import sys
import threading

import documentsource
from documentsource import (
    Error, Mark, Origin, Part, PartKind, Source, Status, Subject, Trust)

NATIVE = "user.x-document-source"
URL = "https://example.org/appInfo.json"


def raised(kind, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except kind as error:
        return error
    raise AssertionError(f"{call} raised no {kind}")


def values():
    with open("letter.txt", "w"):
        pass
    assert documentsource.read("letter.txt") is None
    assert documentsource.remove("letter.txt") is False
    documentsource.write("letter.txt", identifier="a.b", name="Ä", path="p/q", app_info_url=URL)
    whole = Source("a.b", "Ä", "p/q", URL, NATIVE)
    assert plistlib.loads(os.getxattr("letter.txt", NATIVE)) == {
        "identifier": "a.b", "name": "Ä", "path": "p/q", "appInfoURL": URL}
    assert documentsource.read("letter.txt") == whole
    documentsource.write("letter.txt", name="", path="r")
    changed = Source("a.b", None, "r", URL, NATIVE)
    # However the file is named.
    directory = os.open(".", os.O_RDONLY)
    for file in b"letter.txt", os.path.abspath("letter.txt"):
        assert documentsource.read(file) == changed
    with open("letter.txt") as opened:
        assert documentsource.read(opened.fileno()) == changed
        documentsource.write(opened.fileno(), identifier="c.d", replace=True)
    replaced = Source("c.d", None, None, None, NATIVE)
    assert documentsource.read("letter.txt", dir_fd=directory) == replaced
    documentsource.write("letter.txt", name="x", dir_fd=directory)
    assert documentsource.remove("letter.txt", dir_fd=directory) is True
    assert documentsource.read("letter.txt") is None
    os.close(directory)
    os.setxattr("letter.txt", NATIVE, plistlib.dumps({"name": "a\0b"}, fmt=plistlib.FMT_BINARY))
    assert documentsource.read("letter.txt").name == "a\0b"
    os.setxattr("letter.txt", NATIVE, plistlib.dumps({"name": ""}, fmt=plistlib.FMT_BINARY))
    assert documentsource.read("letter.txt") == Source(None, "", None, None, NATIVE)
    # A name that is not UTF-8.
    os.rename("letter.txt", b"\xff")
    assert documentsource.remove(b"\xff") is True
    assert documentsource.read(os.fsdecode(b"\xff")) is None
    os.rename(b"\xff", "letter.txt")


def errors():
    os.symlink("letter.txt", "link")
    assert documentsource.read("link", follow_symlinks=False) is None
    error = raised(
        Error, documentsource.write, "link", identifier="a.b", follow_symlinks=False)
    assert error.status is Status.NOT_SUPPORTED and error.file == "link"
    assert str(error) == ("link: cannot write document source: Linux does not store user"
                          " attributes on symbolic links")
    error = raised(Error, documentsource.read, "missing")
    assert (error.status, error.errno) == (Status.NOT_FOUND, 2)
    assert error.reason is None and error.offset is None and error.carrier is None
    os.setxattr("letter.txt", NATIVE, b"bplist00garbage")
    error = raised(Error, documentsource.read, "letter.txt")
    assert error.status is Status.DAMAGED and error.carrier == NATIVE
    assert (error.reason, error.offset) == ("too short for a binary property list", 15)
    documentsource.write("letter.txt", name="x", replace=True)
    error = raised(Error, documentsource.write, "letter.txt", app_info_url="http://a.example/")
    assert error.status is Status.REFUSED
    documentsource.write("letter.txt", app_info_url="http://a.example/", any_url=True)
    raised(ValueError, documentsource.write, "letter.txt", name="a\0b")
    raised(ValueError, documentsource.read, "a\0b")
    raised(TypeError, documentsource.read, None)
    assert raised(Error, documentsource.read, -1).status is Status.INVALID_ARGUMENT


def descriptors():
    """Numbers of which C would see the lowest bits, and what goes with no descriptor."""
    with open("letter.txt") as opened:
        for number in opened.fileno() + (1 << 32), opened.fileno() - (1 << 32), 1 << 70:
            for call in (documentsource.read, documentsource.remove, documentsource.trace,
                         documentsource.may_have_more):
                assert str(raised(OverflowError, call, number)) == f"{number} is not a descriptor"
            raised(OverflowError, documentsource.write, number, name="x")
            raised(OverflowError, documentsource.read, "letter.txt", dir_fd=number)
        for options in {"dir_fd": opened.fileno()}, {"follow_symlinks": False}:
            raised(ValueError, documentsource.read, opened.fileno(), **options)
            raised(ValueError, documentsource.write, opened.fileno(), name="x", **options)
            raised(ValueError, documentsource.remove, opened.fileno(), **options)


def copies_of_errors():
    """Other processes get an exception pickled."""
    os.setxattr("letter.txt", NATIVE, b"bplist00garbage")
    error = raised(Error, documentsource.read, "letter.txt")
    for other in pickle.loads(pickle.dumps(error)), copy.copy(error):
        assert vars(other) == vars(error) and str(other) == str(error)
    documentsource.remove("letter.txt")


def marks():
    with open("report.pdf", "w"):
        pass
    assert documentsource.trace("report.pdf") == (
        {}, (), frozenset(), True, (), False, False)
    documentsource.write("report.pdf", name="Ä")
    assert not documentsource.may_have_more("report.pdf")
    os.setxattr("report.pdf", "user.xdg.origin.url", b"https://example.com/a")
    os.setxattr("report.pdf", "user.com.apple.quarantine", b"0081;x")
    zone = b"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://other.example/b\r\n"
    with open("report.pdf:Zone.Identifier", "wb") as stream:
        stream.write(zone)
    directory = os.open(".", os.O_RDONLY)
    with open("report.pdf") as opened:
        report = documentsource.trace(opened.fileno())
    assert documentsource.trace(b"report.pdf", dir_fd=directory) == report
    assert documentsource.trace("report.pdf", follow_symlinks=False) == report
    assert documentsource.may_have_more(b"report.pdf", dir_fd=directory)
    os.close(directory)
    # The stream contradicts the file, so that nothing of the stream counts.
    assert report.says == {Subject.NAME: "Ä", Subject.URL: "https://example.com/a"}
    assert report.contradictions == {Subject.URL} and report.is_complete and report.is_doubtful
    assert report.parts == (
        Part(PartKind.APPLICATION, "Ä", None, None),
        Part(PartKind.DOWNLOAD, "example.com", None, None))
    assert report.marks[1:] == (
        Mark("com.apple.quarantine", "attribute", b"user.com.apple.quarantine", Trust.CLAIM, {},
             "damaged: the number of fields is not three or four", 6, b"0081;x"),
        Mark("xdg.origin.url", "attribute", b"user.xdg.origin.url", Trust.CLAIM,
             {Subject.URL: "https://example.com/a"}, None, None, b"https://example.com/a"),
        Mark("Zone.Identifier", "sibling", b"report.pdf:Zone.Identifier", Trust.BESIDE,
             {Subject.URL: "https://other.example/b", Subject.ZONE: "Internet"}, None, None, zone))
    assert report.marks[0].says == {Subject.NAME: "Ä"}
    assert marks_of_watch("2026-11-27T15:00:00Z") == {
        Subject.NAME: "Editor", Subject.TAGGED_BY_WATCH: "2026-11-27T15:00:00Z"}
    assert marks_of_watch("yesterday") == {Subject.NAME: "Editor"}
    error = raised(Error, documentsource.trace, "missing")
    assert str(error) == "missing: cannot read marks of origin: no such file or directory"


def marks_of_watch(time):
    with open("watched.txt", "w"):
        pass
    value = {"name": "Editor", "taggedByWatch": time}
    os.setxattr("watched.txt", NATIVE, plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
    report = documentsource.trace("watched.txt")
    assert report.marks[0].says == report.says and not report.contradictions
    return report.says


def records():
    """What a browser has recorded, where that is asked for."""
    home = os.path.abspath("home")
    database = f"{home}/.config/chromium/Default/History"
    os.makedirs(os.path.dirname(database))
    with open("download.txt", "w") as file:
        file.write("four")
    os.utime("download.txt", (1000, 1000))
    browser = os.path.join(os.path.dirname(__file__), "../../Scripts/browser-profile")
    record = {"path": os.path.abspath("download.txt"), "url": "https://example.com/a"}
    subprocess.run([browser, "chromium", database, json.dumps(record)], check=True)
    os.environ.update(HOME=home, XDG_CONFIG_HOME=f"{home}/.config")
    assert not documentsource.trace("download.txt").marks
    report = documentsource.trace("download.txt", records=True)
    says = {
        Subject.URL: "https://example.com/a", Subject.AGENT: "Chromium",
        Subject.DOWNLOADED: "1970-01-01T00:16:40Z"}
    assert report == documentsource.Report(
        says, (Mark("download-record", "browser", database.encode(), Trust.RECORD, says, None, None,
                    b"https://example.com/a"),), frozenset(), True,
        (Part(PartKind.DOWNLOAD, "example.com", "Chromium", "1970-01-01T00:16:40Z"),), False), report
    os.rename("download.txt", "moved.txt")
    moved = documentsource.trace("moved.txt", records=True)
    assert [part.kind for part in moved.parts] == [PartKind.LIKELY_DOWNLOAD]
    # A database that cannot be read leaves the rest as it is.
    with open(database, "wb") as file:
        file.write(b"no database " * 100)
    broken = documentsource.trace("moved.txt", records=True)
    assert (broken.marks, broken.is_complete) == ((), False)
    assert documentsource.trace("moved.txt").is_complete


def packages():
    """The package that has a file, where that is asked for."""
    path = "/usr/bin/dpkg"
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "dpkg"], check=True, capture_output=True, text=True).stdout
    assert not documentsource.trace(path).marks
    report = documentsource.trace(path, records=True)
    says = {Subject.PACKAGE: f"dpkg {version}"}
    assert report == documentsource.Report(
        says, (Mark("package", "package", b"/var/lib/dpkg/info/dpkg.list", Trust.RECORD, says, None, None,
                    f"dpkg {version}".encode()),), frozenset(), True,
        (Part(PartKind.PACKAGE, f"dpkg {version}", None, None),), False), report


def content():
    """What the content names, where that is asked for."""
    picture = os.path.join(os.path.dirname(__file__), "../../../Fixtures/EmbeddedMetadata/gimp-edited-camera.jpg")
    assert not documentsource.trace(picture).marks
    report = documentsource.trace(picture, embedded=True)
    says = {Subject.PROGRAM: "GIMP 2.10.34", Subject.DEVICE: "Canon PowerShot G1 X Mark II"}
    assert report == documentsource.Report(
        says, (Mark("embedded-origin", "content", b"IFD0:Software", Trust.EMBEDDED, says, None, None,
                    b"GIMP 2.10.34"),), frozenset(), True,
        (Part(PartKind.PROGRAM, "GIMP 2.10.34", None, None),
         Part(PartKind.DEVICE, "Canon PowerShot G1 X Mark II", None, None)), False), report
    # Without exiftool the content says nothing.
    path, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
    without = documentsource.trace(picture, embedded=True)
    assert (without.marks, without.is_complete) == ((), True)
    os.environ["PATH"] = path


def icons():
    os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
    os.environ["XDG_CONFIG_HOME"] = os.path.abspath("config")
    os.environ["XDG_DATA_HOME"] = os.path.abspath("data")
    assert documentsource.find_icon("a.b", URL, 48) == (None, Origin.NONE, False)
    os.makedirs("config/docsource/icons")
    with open("config/docsource/icons/a.b.png", "w"):
        pass
    path = os.fsencode(os.path.abspath("config/docsource/icons/a.b.png"))
    assert documentsource.find_icon("a.b", URL, 48, 2) == (path, Origin.OVERRIDE, False)
    # What an untrusted value may hold names no other icon.
    assert documentsource.find_icon("a.b\0c", "\0", 48).path is None
    assert documentsource.find_icon(None, None, 48).path is None
    with open("config/docsource/trusted-hosts", "w") as hosts:
        hosts.write("example.org\n")
    assert documentsource.find_icon("c.d", URL, 48, outline=False) == (None, Origin.NONE, True)
    assert raised(Error, documentsource.find_icon, "a.b", None, 0).status is Status.INVALID_ARGUMENT
    error = raised(
        Error, documentsource.Fetch, URL, 48, offline=True, refresh=True)
    assert error.status is Status.INVALID_ARGUMENT


def unstarted():
    """What could not be started is dropped without a word."""
    said = []
    sys.unraisablehook = said.append
    raised(TypeError, documentsource.Fetch)
    raised(AttributeError, documentsource.Fetch, 5, 48)
    raised(Error, documentsource.Fetch, URL, 0)
    gc.collect()
    assert said == []


def texts():
    """Blanks and characters of private use are spelled out, as docsource does."""
    for number in [
            0xa0, 0x1680, *range(0x2000, 0x200b), 0x202f, 0x205f, 0x2800, 0x3000, 0x115f, 0x3164,
            0xffa0, 0xe000, 0xf8ff, 0xf0000, 0x10fffd, 0x13441, 0x16fe4, 0x1d159]:
        assert documentsource.escaped(f"a {chr(number)}é") == f"a \\u{{{number:04x}}}é"
    assert documentsource.escaped("\n\x1b\udcff") == "\\n\\x1b\\xff"
    for text in "می\u200cخواهم", "क्\u200dष", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👩🏽\u200d💻":
        assert documentsource.escaped(text) == text
    for text in "a\u200cb", "می\u200c", "می\u200ca", "क\u200dष", "👨\u200d", "👨\u200c👩", "1\ufe0f":
        assert documentsource.escaped(text) != text
        assert documentsource.escaped(text).isprintable()


def threads():
    documentsource.write("letter.txt", replace=True, name="x" * 300)
    found = []

    def work():
        for _ in range(100):
            found.append(documentsource.read("letter.txt").name)

    all_threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    assert found == ["x" * 300] * 400


values()
errors()
descriptors()
copies_of_errors()
marks()
packages()
records()
content()
icons()
unstarted()
texts()
threads()
assert doctest.testmod(documentsource).failed == 0
print("kept")
