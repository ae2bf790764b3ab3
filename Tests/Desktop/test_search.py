"""What docsource-search answers GNOME Shell, asked as the shell does, over D-Bus.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where logs are put.
"""

import ast
import configparser
import os
import shutil
import subprocess
import time
import unittest
from typing import Any, List

import evidence
from desktop_session import DesktopSession, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

NAME, PATH = "org.docsource.Search", "/org/docsource/Search"
PROGRAM = f"{session.prefix}/libexec/docsource/docsource-search"
SHARE = f"{session.prefix}/share"
FOLDER = f"{session.home}/Documents"


def tagged(name: str, identifier: str, application: str, age: int = 0) -> str:
    path = session.file(name)
    session.docsource("tag", "-q", "-i", identifier, "--app-name", application, path)
    os.utime(path, (time.time() - age,) * 2)
    return path


def call(method: str, *arguments: str) -> str:
    return session.run(
        "gdbus", "call", "--session", "-t", "60", "-d", NAME, "-o", PATH,
        "-m", f"org.gnome.Shell.SearchProvider2.{method}", *arguments)


def results(method: str, *arguments: str) -> List[str]:
    """The paths of an answer."""
    text = call(method, *arguments).strip().replace("@as []", "[]")
    return [uri[len("file://"):] for uri in ast.literal_eval(text)[0]]


def configuration(path: str) -> Any:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    assert parser.read(path) == [path]
    return parser


class SearchTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        session.file(
            ".config/user-dirs.dirs", b'XDG_DOCUMENTS_DIR="$HOME/Documents"\n'
            b'XDG_DOWNLOAD_DIR="$HOME/Documents/Downloads"\nXDG_DESKTOP_DIR="$HOME"\n'
            b'XDG_MUSIC_DIR="$HOME/Missing"\n')
        session.file(
            ".local/share/applications/org.example.texts.desktop",
            b"[Desktop Entry]\nType=Application\nName=Texts\nName[de]=Schreibzeug\nExec=true\n")
        cls.letter = tagged("Documents/letter.txt", "com.example.copy", "Working Copy", 60)
        cls.newer = tagged("Documents/deep/below/draft.md", "com.example.copy", "Working Copy")
        cls.download = tagged("Documents/Downloads/down.pdf", "org.example.texts", "Texts")
        cls.odd = tagged("Documents/a%20b \u202e.txt", "org.example.odd", "Odd\u202etxt.exe")
        tagged("Documents/.hidden/secret.txt", "com.example.copy", "Working Copy")
        tagged("elsewhere.txt", "com.example.copy", "Working Copy")
        tagged("Documents/copy.txt", "org.example.other", "Other")
        session.file("Documents/plain Working.txt")
        cls.bytes = tagged("Documents/bad\udcff.txt", "org.example.bytes", "Bytes")
        session.serve_search()

    def test_files_are_found_by_their_applications(self) -> None:
        for terms, found in {
            "['working']": [self.newer, self.letter], "['COPY', 'work']": [self.newer, self.letter],
            "['com.example.copy']": [self.newer, self.letter],
            # The rest may be in the name of the file.
            "['working', 'lett']": [self.letter], "['texts']": [self.download],
            "['other', 'copy']": [f"{FOLDER}/copy.txt"],
            "['letter']": [], "['nothing']": [], "['wo']": [],
        }.items():
            with self.subTest(terms):
                self.assertEqual(results("GetInitialResultSet", terms), found)
        self.assertEqual(
            results("GetSubsearchResultSet", f"['file://{self.letter}']", "['working', 'draft']"),
            [self.newer])

    def test_results_have_name_description_and_icon(self) -> None:
        self.assertEqual(len(results("GetInitialResultSet", "['odd']")), 1)
        # An answer to an earlier question may come in between.
        results("GetInitialResultSet", "['texts']")
        uri = f"file://{FOLDER}/a%2520b%20%E2%80%AE.txt"
        text = call("GetResultMetas", f"['{uri}', 'file:///etc/passwd']")
        meta = ast.literal_eval(text.strip().replace("<", "").replace(">", ""))[0]
        self.assertEqual(len(meta), 1, "what was not answered is not known")
        self.assertEqual(meta[0]["id"], uri)
        self.assertEqual(meta[0]["name"], "a%20b \\u{202e}.txt")
        self.assertEqual(
            meta[0]["description"], "From “Odd\\u{202e}txt.exe”, in ~/Documents")
        self.assertIn("text-plain", meta[0]["gicon"])

    def test_name_that_is_not_utf8_is_found_and_shown(self) -> None:
        uri = f"file://{FOLDER}/bad%FF.txt"
        self.assertEqual(call("GetInitialResultSet", "['bytes']").strip(), f"(['{uri}'],)")
        self.assertIn("'name': <'bad\\\\xff.txt'>", call("GetResultMetas", f"['{uri}']"))

    def test_result_is_opened_if_it_was_answered(self) -> None:
        record = session.recorder("org.example.reader", "Reader")
        session.file(
            ".config/mimeapps.list",
            b"[Default Applications]\ntext/plain=org.example.reader.desktop\n")
        self.assertEqual(results("GetInitialResultSet", "['working', 'letter']"), [self.letter])
        call("ActivateResult", "file:///etc/hostname", "['working']", "0")
        call("ActivateResult", f"file://{self.letter}", "['working']", "0")
        wait(lambda: os.path.exists(record) and os.path.getsize(record), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{self.letter}\n")

    def test_search_is_shown_as_folders_of_links(self) -> None:
        record = session.recorder("org.example.folders", "Folders")
        session.file(
            ".config/mimeapps.list",
            b"[Default Applications]\ninode/directory=org.example.folders.desktop\n")
        place = f"{os.environ['XDG_RUNTIME_DIR']}/docsource/search"

        def opened() -> str:
            wait(lambda: os.path.exists(record) and os.path.getsize(record), "the folder")
            with open(record, encoding="utf-8") as words:
                folder = words.read()
            os.unlink(record)
            return folder

        call("LaunchSearch", "['working']", "0")
        self.assertEqual(opened(), f"{place}/Working Copy\n")
        self.assertEqual(os.listdir(place), ["Working Copy"])
        self.assertEqual(
            {name: os.readlink(f"{place}/Working Copy/{name}")
             for name in os.listdir(f"{place}/Working Copy")},
            {"letter.txt": self.letter, "draft.md": self.newer})
        folder = os.stat(f"{place}/Working Copy").st_ino
        subprocess.run(["/usr/bin/python3", "-B", PROGRAM, "--open"], check=True)
        self.assertEqual(opened(), f"{place}\n")
        self.assertEqual(
            sorted(os.listdir(place)),
            ["Bytes", "Odd\\u{202e}txt.exe", "Other", "Texts", "Working Copy"])
        self.assertEqual(
            os.stat(f"{place}/Working Copy").st_ino, folder, "a window may show it")
        # What the user has put there is no link of ours.
        with open(f"{place}/Working Copy/own.txt", "w", encoding="utf-8"):
            pass
        subprocess.run(["/usr/bin/python3", "-B", PROGRAM, "--open", "texts"], check=True)
        self.assertEqual(opened(), f"{place}/Texts\n")
        self.assertEqual(sorted(os.listdir(place)), ["Texts", "Working Copy"])
        self.assertEqual(os.listdir(f"{place}/Working Copy"), ["own.txt"])

    def test_many_files_are_answered_at_once(self) -> None:
        folder = f"{FOLDER}/many"
        for number in range(10000):
            session.file(f"Documents/many/{number // 100}/{number}.txt", b"")
        self.addCleanup(time.sleep, 11)
        self.addCleanup(shutil.rmtree, folder)
        session.docsource(
            "tag", "-q", "-r", "-i", "org.example.many", "--app-name", "Thousands", folder)
        time.sleep(11)  # what was found before counts for ten seconds
        begin = time.monotonic()
        found = results("GetInitialResultSet", "['thousands']")
        # A quarter of a second, where nothing else runs.
        self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(len(found), 1000, "as many as the folder of links would have")

    def test_search_ends_in_time(self) -> None:
        program = f"{session.prefix}/bin/docsource"
        os.rename(program, f"{program}.kept")
        self.addCleanup(lambda: os.replace(f"{program}.kept", program))
        line = '{"file":"/a/b.txt","source":{"name":"Slow One"}}'
        with open(program, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\necho '{line}'\necho nonsense\necho '[]'\nexec sleep 60\n")
        os.chmod(program, 0o755)
        time.sleep(11)  # what was found before counts for ten seconds
        begin = time.monotonic()
        self.assertEqual(results("GetInitialResultSet", "['slow']"), ["/a/b.txt"])
        self.assertLess(time.monotonic() - begin, 10)
        os.unlink(program)
        time.sleep(11)
        self.assertEqual(results("GetInitialResultSet", "['slow']"), [])
        time.sleep(11)

    def test_what_is_installed_fits_together(self) -> None:
        provider = configuration(
            f"{SHARE}/gnome-shell/search-providers/{NAME}.search-provider.ini")
        said = dict(provider["Shell Search Provider"])
        self.assertEqual(said, {
            "DesktopId": f"{NAME}.desktop", "BusName": NAME, "ObjectPath": PATH, "Version": "2"})
        service = configuration(f"{SHARE}/dbus-1/services/{NAME}.service")["D-BUS Service"]
        self.assertEqual(dict(service), {
            "Name": NAME, "Exec": '"/usr/libexec/docsource/docsource-search"'})
        entry = configuration(f"{SHARE}/applications/{NAME}.desktop")["Desktop Entry"]
        # The shell leaves out providers whose applications are not shown.
        self.assertNotIn("NoDisplay", entry)
        self.assertEqual(entry["OnlyShowIn"], "GNOME;")
        wrong = subprocess.run(
            ["/usr/bin/python3", "-B", PROGRAM, "--other"], stderr=subprocess.PIPE)
        self.assertEqual(wrong.returncode, 64)


if __name__ == "__main__":
    evidence.run_tests(session.accounts)
