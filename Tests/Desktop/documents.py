"""Files with marks of all kinds, as a demanding user may have them in one folder."""

import json
import os
import plistlib
import subprocess
import time
from typing import List

from desktop_session import DesktopSession

ATTRIBUTE = "user.x-document-source"
WORKING_COPY = "com.appliedphasor.working-copy"
_PICTURE = os.path.join(os.path.dirname(__file__), "../../Fixtures/Pictures/scaling.png")
_BROWSER_PROFILE = os.path.join(os.path.dirname(__file__), "../Scripts/browser-profile")


def _mark(path: str, **marks: str) -> None:
    for name, value in marks.items():
        os.setxattr(path, "user." + name.replace("__", "."), value.encode())


def tag_as_watch_does(path: str) -> None:
    value = {
        "identifier": "org.example.editor", "name": "Editor",
        "taggedByWatch": "2026-11-27T15:00:00Z"}
    os.setxattr(path, ATTRIBUTE, plistlib.dumps(value, fmt=plistlib.FMT_BINARY))


def record_as_the_witness_does(path: str, application: str = "org.example.editor") -> None:
    """Records who wrote a file, as `docsource watch --witness` does. Needs root."""
    fields = subprocess.run(
        ["stat", "--printf=%i %s %.9W %.9Y", path], check=True, capture_output=True, text=True)
    inode, size, born, modified = (
        int(field.replace(".", "")) for field in fields.stdout.split())
    now = time.time_ns()
    value = {
        "version": 1, "boot": "a", "inode": inode, "size": size, "born": born,
        "modified": modified, "changedFrom": now - 50_000_000, "changedTo": now + 50_000_000,
        "history": [{
            "application": application, "executable": "/usr/bin/editor", "known": "executable",
            "action": "created", "time": now}]}
    os.setxattr(path, "security.docsource", plistlib.dumps(value, fmt=plistlib.FMT_BINARY))


def content_of(name: str) -> bytes:
    """A file that a program has written: of Fixtures/EmbeddedMetadata."""
    place = os.path.join(os.path.dirname(__file__), "../../Fixtures/EmbeddedMetadata")
    with open(f"{place}/{name}", "rb") as file:
        return file.read()


def record_download(session: DesktopSession, path: str, url: str) -> str:
    """Has Chromium's database say that it was downloaded at its time of modification.

    Returns the directory of the database."""
    profile = f"{session.home}/.config/chromium"
    os.makedirs(f"{profile}/Default")
    # The time that browser-profile writes.
    os.utime(path, (1000, 1000))
    download = json.dumps({"path": path, "url": url, "size": os.path.getsize(path)})
    database = f"{profile}/Default/History"
    subprocess.run([_BROWSER_PROFILE, "chromium", database, download], check=True)
    return profile


def make(session: DesktopSession, folder: str) -> List[str]:
    """Makes them below the home directory, and returns their names."""

    def file(name: str, *options: str, content: bytes = b"content\n") -> str:
        path = session.file(f"{folder}/{name}", content)
        if options:
            session.docsource("tag", "-q", *options, path)
        return path

    app = "-i", WORKING_COPY, "--app-name", "Working Copy"
    file("01 plain.txt")
    file("02 tagged.txt", *app, "-p", "drafts/02 tagged.txt")
    file("03 own icon.txt", "-i", "org.example.editor", "--app-name", "Editor")
    file("04 installed.txt", "-i", "org.xfce.mousepad", "--app-name", "Mousepad")
    with open(_PICTURE, "rb") as picture:
        file("05 picture.png", *app, content=picture.read())
    os.symlink("02 tagged.txt", f"{session.home}/{folder}/06 link.txt")
    path = file("07 deep path.txt", *app, "-p", "/".join(["a long way"] * 8 + ["the letter.txt"]))
    session.docsource("tag", "-q", "-u", "https://icons.appliedphasor.com/appInfo.json", path)
    both = file("08 tagged download.txt", *app)
    _mark(both, xdg__origin__url="https://files.example.org/08.txt",
          com__apple__quarantine="0081;5fad2a6e;Safari;")
    _mark(file("09 download.txt"), xdg__origin__url="https://example.org/files/09.txt",
          xdg__referrer__url="https://example.org/")
    _mark(file("10 windows.txt"), Zone__Identifier="[ZoneTransfer]\r\nZoneId=3\r\n")
    beside = file("11 beside.txt", *app)
    session.docsource("emit", "-q", "--apple-double", beside)
    session.docsource("remove", "-q", beside)
    os.setxattr(file("12 damaged.txt"), ATTRIBUTE, b"bplist00nonsense")
    file("13 called damaged.txt", "-i", "org.example.d", "--app-name", "Damaged")
    file("14 called (damaged).txt", "-i", "org.example.d", "--app-name", "(damaged)")
    file("15 nameless.txt", "-p", "somewhere.txt")
    file("16 long.txt", "-i", "org.example.long", "--app-name", "A very long name " * 20)
    file("17 turned.txt", "-i", "org.example.odd", "--app-name", "Odd\u202etxt.exe")
    file("18 markup.txt", "-i", "org.example.odd", "--app-name", "<b>Bold</b> & <a href='x'>")
    file("19 chinese.txt", "-i", "org.example.zh", "--app-name", "来源应用程序的名字" * 5)
    file("20 umlaut.txt", "-i", "org.example.ae", "--app-name", "Äpfel")
    os.chmod(file("21 closed.txt", *app), 0)
    doubtful = file("22 doubtful.txt", *app)
    _mark(doubtful, xdg__origin__url="https://one.example/a",
          Zone__Identifier="[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://two.example/b\r\n")
    tag_as_watch_does(file("23 automatic.txt"))
    icons = f"{session.home}/.local/share/icons/hicolor/48x48/apps"
    os.makedirs(icons, exist_ok=True)
    subprocess.run(["cp", _PICTURE, f"{icons}/org.example.editor.png"], check=True)
    return sorted(name for name in os.listdir(f"{session.home}/{folder}") if name[0] != ".")
