"""What a file manager shows of sources, and what its menu does to files.

DESKTOP_MANAGER names the file manager, DESKTOP_INSTALLED where docsource is installed, and
DESKTOP_KEPT where screenshots and logs are put.
"""

import json
import os
import re
import shutil
import subprocess
import unittest
from typing import List, Optional

import documents
import evidence
import glance
import windows
from desktop_session import DesktopSession, wait
from file_manager import ALL, RunningManager
from glance import columns

manager = ALL[os.environ["DESKTOP_MANAGER"]]
session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

import screen  # noqa: E402 (it takes the session's bus)

ATTRIBUTE = "user.x-document-source"
WORKING_COPY = "com.appliedphasor.working-copy"
SITE = "https://www.appliedphasor.com/"
INFO = f"{SITE}appInfo.json"
RAW_INFO = "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json"
LONG_NAME = "A very long name " * 20
LONG_PATH = "/".join(["a long way"] * 8 + ["the letter.txt"])
ICON = os.path.join(os.path.dirname(__file__), "../../Fixtures/Pictures/scaling.png")
BLUE = 0x1c, 0x71, 0xd8
CELLS = "label", "table cell"
ARROWS = "nemo",
ENTRIES = "menu item", "menu"

FOLDER = f"{session.home}/documents"


def tag(path: str, *options: str) -> str:
    session.docsource("tag", "-q", *options, path)
    return path


def tagged(name: str, *options: str) -> str:
    options = options or ("-i", WORKING_COPY, "--app-name", "Working Copy", "-p", f"drafts/{name}")
    return tag(session.file(f"documents/{name}"), *options)


def source(path: str) -> str:
    """As `docsource show` prints it."""
    done = subprocess.run(
        [f"{session.prefix}/bin/docsource", "show", path], stdout=subprocess.PIPE, text=True)
    return done.stdout.partition("\n")[2]


def column(name: str) -> Optional[str]:
    return columns().get(name)


@unittest.skipUnless(shutil.which(manager.command[0]), f"{manager.name} is not installed")
class FileManagerTests(unittest.TestCase):
    """One window on one folder, in which each test has files of its own."""

    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        icons = f"{session.home}/.local/share/icons/hicolor/48x48/apps"
        os.makedirs(icons)
        shutil.copy(ICON, f"{icons}/org.example.editor.png")
        # A browser that writes down what it is asked for.
        browser = session.file(
            "browser", b'#!/bin/sh\nprintf "%s\\n" "$@" >>"$(dirname "$0")/visited"\n')
        os.chmod(browser, 0o755)
        session.file(
            ".local/share/applications/org.example.browser.desktop",
            f"[Desktop Entry]\nType=Application\nName=Browser\nExec={browser} %u\n"
            "MimeType=x-scheme-handler/https;\n".encode())
        session.file(
            ".config/mimeapps.list",
            b"[Default Applications]\nx-scheme-handler/https=org.example.browser.desktop\n")
        session.docsource(
            "apps", "add", "org.example.studio", "--app-name", "Studio", "-u",
            "https://icons.example.com/appInfo.json")
        cls.letter = tagged("letter.txt")
        cls.plain = session.file("documents/plain.txt")
        tagged("own.txt", "-i", "org.example.editor", "--app-name", "Editor")
        tagged("odd.txt", "-i", "org.example.odd", "--app-name", "Odd\u202etxt.exe")
        tagged("word.txt", "-i", "folder", "--app-name", "Word")
        tagged("nameless.txt", "-p", "somewhere.txt")
        os.setxattr(session.file("documents/damaged.txt"), ATTRIBUTE, b"bplist00nonsense")
        os.makedirs(f"{FOLDER}/directory")
        tag(f"{FOLDER}/directory", "-i", WORKING_COPY, "--app-name", "Working Copy")
        os.symlink("letter.txt", f"{FOLDER}/link.txt")
        os.symlink("nowhere", f"{FOLDER}/dangling.txt")
        for name in "live.txt", "tag-1.txt", "tag-2.txt":
            session.file(f"documents/{name}")
        for name in "copy-1.txt", "copy-2.txt", "removed-1.txt", "removed-2.txt", "sent.txt":
            tagged(name)
        tag(f"{FOLDER}/sent.txt", "-u", INFO)
        tag(tagged("raw.txt"), "-u", RAW_INFO)
        tagged("called.txt", "-i", "org.example.d", "--app-name", "(damaged)")
        tagged("long.txt", "-i", "org.example.long", "--app-name", LONG_NAME)
        tagged("deep.txt", "-i", "org.example.deep", "-p", LONG_PATH)
        download = session.file("documents/download.txt")
        os.setxattr(download, "user.xdg.origin.url", b"https://example.org/files/a.txt")
        os.setxattr(download, "user.com.apple.quarantine", b"0081;5fad2a6e;Safari;")
        beside = tagged("beside.txt")
        session.docsource("emit", "-q", "--apple-double", beside)
        session.docsource("remove", "-q", beside)
        os.chmod(tagged("closed.txt"), 0)
        cls.running = RunningManager(manager, session, FOLDER, manager.name)
        cls.addClassCleanup(cls.running.end)
        if not manager.has_column:
            wait(cls._list_is_shown, "the list")
        screen.wait_for("letter.txt", *CELLS)
        cls.running.fill_screen()
        screen.settle()

    @staticmethod
    def _list_is_shown() -> bool:
        windows.focus("^documents.*$")
        # The view with rows, and all of them in view.
        screen.press("ctrl+2", "ctrl+minus", "ctrl+minus")
        screen.settle()
        return screen.named("letter.txt", *CELLS) is not None

    def tearDown(self) -> None:
        screen.photograph(f"{session.kept}/{manager.name}-{self.id().rpartition('.')[2]}.png")

    def require_column(self) -> None:
        if not manager.has_column:
            self.skipTest(f"{manager.name} has no place for columns and emblems of extensions")

    # The list

    def test_column_says_which_application_a_file_came_from(self) -> None:
        self.require_column()
        screen.wait_for("Source App")
        expected = {
            "letter.txt": "Working Copy", "own.txt": "Editor", "odd.txt": "Odd\\u{202e}txt.exe",
            "nameless.txt": "(unnamed application)", "damaged.txt": "(damaged)", "plain.txt": "",
            # An application may be called like that.
            "called.txt": "“(damaged)”", "long.txt": "A very long name A very long…",
            "directory": "Working Copy", "link.txt": "Working Copy", "dangling.txt": "",
            "download.txt": "from example.org", "beside.txt": "Working Copy",
            "closed.txt": "(cannot be read)", "deep.txt": "org.example.deep",
        }
        for name, text in expected.items():
            with self.subTest(name):
                self.assertEqual(
                    self.running.wait_for("update", file=f"{FOLDER}/{name}")["column"], text)
        wait(lambda: expected.items() <= columns().items(), f"{expected} on the screen")

    def test_emblem_is_the_applications_icon_or_the_generic_one(self) -> None:
        self.require_column()
        for name, emblem in {
            "letter.txt": "docsource", "own.txt": "org.example.editor", "plain.txt": None,
            # Not an icon of the theme that the untrusted text happens to name.
            "word.txt": "docsource", "nameless.txt": "docsource",
            "damaged.txt": "docsource-damaged", "called.txt": "docsource",
            "download.txt": "docsource-marked", "beside.txt": "docsource", "closed.txt": None,
            "directory": "docsource", "dangling.txt": None,
            # These draw one emblem only, and the arrow says what nothing else does.
            "link.txt": None if manager.name in ARROWS else "docsource",
        }.items():
            with self.subTest(name):
                self.assertEqual(
                    self.running.wait_for("update", file=f"{FOLDER}/{name}")["emblem"], emblem)

        def is_drawn(name: str) -> bool:
            picture = f"{session.kept}/{manager.name}-emblems.png"
            screen.photograph(picture)
            left, top, width, height = screen.place_of(screen.wait_for(name, *CELLS))
            place = left - 80, top - 8, 400, height + 16
            return screen.count_pixels(picture, place, BLUE) > 2

        wait(lambda: is_drawn("letter.txt"), "the emblem to be drawn")
        self.assertFalse(is_drawn("plain.txt"))

    def test_change_of_the_attribute_is_followed(self) -> None:
        self.require_column()
        self.running.wait_for("update", file=f"{FOLDER}/live.txt", column="")
        value = os.getxattr(self.letter, ATTRIBUTE).hex()
        session.run("setfattr", "-n", ATTRIBUTE, "-v", f"0x{value}", f"{FOLDER}/live.txt")
        self.running.wait_for("update", file=f"{FOLDER}/live.txt", column="Working Copy")
        wait(lambda: column("live.txt") == "Working Copy", "the new source")
        session.run("setfattr", "-x", ATTRIBUTE, f"{FOLDER}/live.txt")
        wait(lambda: self.running.shown(f"{FOLDER}/live.txt")["column"] == "", "its removal")
        wait(lambda: column("live.txt") == "", "the source to vanish")

    # The page of properties

    def show_page(self, text: str, *paths: str) -> None:
        """Shows their properties, and of those our page, which has a text."""
        self.running.show_properties(*paths)
        tab = screen.wait_for("Source App", "list item", "page tab", "radio button")

        def is_shown() -> bool:
            label = screen.named(text, "label")
            return label is not None and screen.is_showing(label)

        def choose_tab() -> None:
            if screen.is_showing(tab):
                screen.click(tab)

        screen.act_until(is_shown, choose_tab, f"the page with {text!r}")

    def close_properties(self, text: str) -> None:
        screen.act_until(
            lambda: not screen.named(text, "label"), lambda: screen.press("Escape"),
            f"the page with {text!r} to leave the screen", patience=1)

    def test_properties_say_what_the_source_is_and_follow_it(self) -> None:
        path = tagged("paged.txt")
        tag(path, "-u", INFO)
        self.show_page(WORKING_COPY, path)
        for text in "Working Copy", WORKING_COPY, "drafts/paged.txt", INFO:
            screen.wait_for(text, "label")
        self.assertEqual(self.running.last("page")["properties"], [
            ["Application", "Working Copy"], ["Identifier", WORKING_COPY],
            ["Document", "drafts/paged.txt"], ["App info", INFO]])
        if manager.has_widgets:
            link = screen.named(INFO, "label")
            self.assertEqual(
                link.get_hypertext_iface().get_link(0).get_uri(0), SITE, "the site is linked")
        screen.photograph(f"{session.kept}/{manager.name}-properties.png")
        tag(path, "-p", "elsewhere.txt")
        screen.wait_for("elsewhere.txt", "label")
        session.docsource("remove", "-q", path)
        screen.wait_for("No document source", "label")
        self.close_properties("No document source")

    def test_properties_say_that_watch_has_tagged_the_file(self) -> None:
        path = session.file("documents/automatic.txt")
        self.addCleanup(os.unlink, path)  # the list has no room for more
        documents.tag_as_watch_does(path)
        documents.record_as_the_witness_does(path)
        self.show_page("org.example.editor", path)
        *before, (label, time), verified = self.running.last("page")["properties"]
        self.assertEqual(
            verified, ["Verified", "✓ This computer saw the application write the file"])
        self.assertEqual(before, [["Application", "Editor"], ["Identifier", "org.example.editor"]])
        self.assertEqual(label, "Tagged automatically")
        self.assertRegex(time, "^November [0-9]+, 2026, [0-9:]{5}$")
        screen.wait_for(time, "label")
        screen.photograph(f"{session.kept}/{manager.name}-automatic.png")
        self.close_properties("org.example.editor")

    def test_properties_of_several_files_say_what_they_have_in_common(self) -> None:
        self.show_page("2 of 2", f"{FOLDER}/copy-1.txt", f"{FOLDER}/copy-2.txt")
        self.assertEqual(self.running.last("page")["properties"], [
            ["Application", "Working Copy"], ["Identifier", WORKING_COPY],
            ["Files with a source", "2 of 2"]])
        self.close_properties("2 of 2")
        # What is not there is another value.
        self.show_page("2 of 3", f"{FOLDER}/copy-1.txt", f"{FOLDER}/copy-2.txt", self.plain)
        self.assertEqual(self.running.last("page")["properties"], [
            ["Application", "2 different values"], ["Identifier", "2 different values"],
            ["Files with a source", "2 of 3"]])
        self.close_properties("2 of 3")

    def test_properties_say_what_a_browser_has_recorded(self) -> None:
        path = session.file("documents/recorded.txt")
        self.addCleanup(os.unlink, path)
        url = "https://files.example.com/recorded.txt"
        self.addCleanup(shutil.rmtree, documents.record_download(session, path, url))
        sentence = "Downloaded from files.example.com by “Chromium” on January 1, 1970"
        self.show_page(sentence, path)
        self.assertEqual(self.running.last("page")["properties"][:3], [
            ["Origin", sentence], ["Downloaded from", url], ["Program", "Chromium"]])
        self.close_properties(sentence)

    def test_properties_say_which_program_has_written_the_content(self) -> None:
        path = session.file("documents/written.odt", documents.content_of("libreoffice.odt"))
        self.addCleanup(os.unlink, path)
        sentence = "Written by “LibreOffice 7.4.7.2”"
        self.show_page(sentence, path)
        self.assertEqual(self.running.last("page")["properties"], [["Origin", sentence]])
        self.close_properties(sentence)

    def test_properties_have_the_short_answer_of_all_marks(self) -> None:
        sentence = "Downloaded from example.org by “Safari” on November 12, 2020"
        self.show_page(sentence, f"{FOLDER}/download.txt")
        self.assertEqual(self.running.last("page")["properties"][:3], [
            ["Origin", sentence], ["Downloaded from", "https://example.org/files/a.txt"],
            ["Program", "Safari"]])
        self.close_properties(sentence)
        for name, line in {
            "damaged.txt": ["Damaged", "A mark cannot be decoded (error at byte 16)"],
            "closed.txt": ["Cannot be read", "Access is denied"],
            "beside.txt": ["Document", "drafts/beside.txt"],
        }.items():
            with self.subTest(name):
                self.show_page(line[1], f"{FOLDER}/{name}")
                self.assertEqual(self.running.last("page")["properties"][-1], line)
                self.close_properties(line[1])

    def test_marks_that_contradict_each_other_stand_side_by_side(self) -> None:
        path = tagged("doubtful.txt")
        self.addCleanup(os.unlink, path)  # the list has no room for more
        one, two = "https://one.example/a", "https://two.example/b"
        os.setxattr(path, "user.xdg.origin.url", one.encode())
        os.setxattr(
            path, "user.Zone.Identifier",
            f"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl={two}\r\n".encode())
        if manager.has_column:
            self.running.wait_for(
                "update", file=path, column="Working Copy (contradictory)",
                emblem="docsource-doubtful")
            wait(lambda: column("doubtful.txt") == "Working Copy (contradictory)", "the doubt")
        self.show_page(f"{one} (xdg.origin.url)", path)
        lines = self.running.last("page")["properties"]
        place = lines.index(["Downloaded from", f"{one} (xdg.origin.url)"])
        self.assertEqual(lines[place + 1], ["Downloaded from", f"{two} (Zone.Identifier)"])
        self.assertRegex(lines[0][1], "; marks contradict each other$")
        if manager.has_widgets:
            link = screen.named(f"{two} (Zone.Identifier)", "label")
            self.assertEqual(link.get_hypertext_iface().get_link(0).get_uri(0), two)
        screen.photograph(f"{session.kept}/{manager.name}-contradiction.png")
        self.close_properties(f"{one} (xdg.origin.url)")

    def test_column_follows_a_file_beside_that_has_marks(self) -> None:
        self.require_column()
        path = session.file("documents/streamed.txt")
        self.addCleanup(os.unlink, path)
        self.running.wait_for("update", file=path, column="")
        screen.settle(3)
        beside = session.file(
            "documents/streamed.txt:Zone.Identifier",
            b"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://one.example/a\r\n")
        self.addCleanup(os.unlink, beside)
        self.running.wait_for(
            "update", file=path, column="from one.example", emblem="docsource-marked")
        wait(lambda: column("streamed.txt") == "from one.example", "the download")

    def test_page_has_buttons_for_what_can_be_done(self) -> None:
        if not manager.has_widgets:
            self.skipTest("this page of properties has rows of text only")
        record = session.recorder("org.example.paged", "Paged_Reader")
        path = tagged("acted.txt", "-i", "org.example.paged")
        self.addCleanup(os.unlink, path)
        address = "https://example.org/files/a.txt"
        os.setxattr(path, "user.xdg.origin.url", address.encode())
        self.show_page(address, path)
        self.assertEqual(
            self.running.last("page")["actions"], ["Open in Paged_Reader", "Copy Address"])
        screen.photograph(f"{session.kept}/{manager.name}-actions.png")
        screen.act(screen.wait_until_shown("Copy Address", "push button"))
        self.assertEqual(self.running.wait_for("copy", text=address)["text"], address)
        screen.act(screen.wait_until_shown("Open in Paged_Reader", "push button"))
        wait(lambda: os.path.exists(record) and os.path.getsize(record), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{path}\n")
        self.close_properties(address)

    def test_long_texts_are_whole_on_the_page_and_paths_keep_the_name(self) -> None:
        self.show_page("org.example.long", f"{FOLDER}/long.txt")
        self.assertIn(["Application", LONG_NAME], self.running.last("page")["properties"])
        screen.photograph(f"{session.kept}/{manager.name}-long.png")
        self.close_properties("org.example.long")
        self.show_page("org.example.deep", f"{FOLDER}/deep.txt")
        short = "a long way/a long way/a long way/a long way/…/the letter.txt"
        self.assertIn(["Document", short], self.running.last("page")["properties"])
        if manager.has_widgets:
            label = screen.named(short, "label")
            self.assertEqual(label.get_text_iface().get_n_selections(), 0, "nothing is selected")
        self.close_properties("org.example.deep")

    def test_icon_of_a_trusted_host_is_fetched(self) -> None:
        if not manager.has_widgets:
            self.skipTest("this page of properties has rows of text only")
        session.docsource("icon", "trust", "add", "icons.example.com")
        path = tagged(
            "fetched.txt", "-i", "org.example.fetched", "-u",
            "https://icons.example.com/appInfo.json")
        self.show_page("org.example.fetched", path)
        self.assertTrue(
            self.running.wait_for("icon", identifier="org.example.fetched")["fetchable"])
        self.running.wait_for("fetched", identifier="org.example.fetched", status="OK")
        screen.settle()
        # The picture has no such blue; the generic one that it replaces has.
        picture = f"{session.kept}/{manager.name}-fetched.png"
        screen.photograph(picture)
        self.close_properties("org.example.fetched")

    # The menu

    def open_menu(self, *names: str) -> List[str]:
        """Opens the menu of files, and returns what it has of ours, its submenu after "source"."""
        files = sorted(f"file://{FOLDER}/{name}" for name in names)
        seen = len(self.running.events("menu"))

        def opened() -> Optional[dict]:
            return next((event for event in self.running.events("menu")[seen:]
                         if sorted(event["files"]) == files), None)

        def open_it() -> None:
            screen.press("Escape")
            for _ in range(2):  # a first click may only close what is open
                screen.click_at(900, 700)
                screen.settle(0.5)
            for number, name in enumerate(names):
                screen.click(screen.wait_for(name, *CELLS), key="ctrl" if number else None)
                screen.settle(0.5)
            screen.click(screen.wait_for(names[-1], *CELLS), button=3)

        menu = screen.act_until(opened, open_it, f"the menu of {names}")
        return [*menu["entries"], "source", *menu["below"]]

    def open_submenu(self, label: str) -> screen.Element:
        """Opens the submenu in which an entry stands, and returns the entry."""
        def shown() -> Optional[screen.Element]:
            entry = screen.named(label, *ENTRIES)
            return entry if entry and screen.is_showing(entry) else None

        return screen.act_until(
            shown, lambda: screen.act(screen.wait_until_shown("Source", *ENTRIES)),
            f"{label!r} in the submenu", patience=3)

    def choose(self, label: str) -> None:
        screen.act(self.open_submenu(label))
        screen.settle(0.5)

    def choose_above(self, label: str) -> None:
        """Chooses an entry that stands in the menu itself."""
        screen.act(screen.wait_until_shown(label, *ENTRIES))
        screen.settle(0.5)

    def close_menu(self) -> None:
        screen.press("Escape")
        screen.settle(0.5)

    def test_menu_has_what_fits_the_files(self) -> None:
        self.assertEqual(self.open_menu("plain.txt"), ["share", "source", "tag", "watch"])
        screen.wait_until_shown("Share…", *ENTRIES)
        self.open_submenu("Tag with Application…")
        self.close_menu()
        self.assertEqual(
            self.open_menu("letter.txt"), ["share", "source", "tag", "copy", "watch", "remove"])
        self.open_submenu("Copy Source")
        screen.photograph(f"{session.kept}/{manager.name}-menu.png")
        self.close_menu()
        self.assertEqual(self.open_menu("damaged.txt"), ["share", "source", "tag", "watch", "remove"])
        self.close_menu()
        self.assertEqual(
            self.open_menu("sent.txt"),
            ["share", "source", "tag", "copy", "website", "watch", "remove"])
        self.close_menu()
        for names in ("sent.txt", "plain.txt"), ("raw.txt",):
            self.assertEqual(
                self.open_menu(*names), ["share", "source", "tag", "copy", "watch", "remove"],
                names)
            self.close_menu()
        self.assertEqual(
            self.open_menu("download.txt"),
            ["share", "source", "tag", "copy", "address", "watch"])
        self.close_menu()

    def test_copied_source_is_in_the_clipboard(self) -> None:
        self.open_menu("copy-1.txt", "copy-2.txt")
        self.choose("Copy Source")
        text = "".join(
            f"copy-{number}.txt\n  Application: Working Copy\n  Identifier: {WORKING_COPY}\n"
            f"  Document: drafts/copy-{number}.txt\n" for number in (1, 2))
        self.assertEqual(self.running.wait_for("copy")["text"] + "\n", text)
        self.assertEqual(
            session.run("xclip", "-selection", "clipboard", "-out", timeout=90) + "\n", text)

    def test_website_is_opened(self) -> None:
        self.open_menu("sent.txt")
        self.choose("Visit Source App's Website")
        visited = f"{session.home}/visited"
        wait(lambda: os.path.exists(visited) and os.path.getsize(visited), "the browser")
        with open(visited, encoding="utf-8") as sites:
            self.assertEqual(sites.read(), f"{SITE}\n")

    def answer(self, question: str, button: str) -> None:
        glance.wait_for(question, "label")
        screen.act_until(
            lambda: not glance.named(question, "label"),
            lambda: screen.act(screen.button(button)), "the question to be answered")

    def test_new_documents_are_tagged_until_that_is_turned_off(self) -> None:
        def is_on() -> bool:
            with open(f"{session.home}/.config/docsource/watch.json", "rb") as file:
                return json.load(file)["enabled"]

        self.open_menu("plain.txt")
        self.choose("Tag New Documents Automatically…")
        glance.wait_for("Tag new documents automatically?", "label")
        screen.photograph(f"{session.kept}/{manager.name}-watching.png")
        self.answer("Tag new documents automatically?", "Tag Automatically")
        # The service does not run here.
        self.answer("New documents are not tagged yet", "Close")
        self.assertTrue(is_on())
        self.open_menu("plain.txt")
        self.choose("Stop Tagging New Documents…")
        self.answer("Stop tagging new documents?", "Stop Tagging")
        wait(lambda: not is_on(), "watching to be off")

    def test_removed_sources_are_gone(self) -> None:
        self.open_menu("removed-1.txt", "removed-2.txt")
        self.choose("Remove Source")
        screen.wait_for("Remove the sources of 2 files?", "label")
        screen.photograph(f"{session.kept}/{manager.name}-removing.png")
        self.assertIn(ATTRIBUTE, os.listxattr(f"{FOLDER}/removed-1.txt"))
        screen.act_until(
            lambda: not screen.named("Remove the sources of 2 files?", "label"),
            lambda: screen.act(screen.button("Remove")), "the question to be answered")
        for name in "removed-1.txt", "removed-2.txt":
            path = f"{FOLDER}/{name}"
            wait(lambda: ATTRIBUTE not in os.listxattr(path), f"{name} to lose its source")
            if manager.has_column:
                wait(lambda: column(name) == "", f"{name} to be shown without")

    def test_chosen_application_is_recorded(self) -> None:
        self.open_menu("tag-1.txt", "tag-2.txt")
        self.choose("Tag with Application…")
        self.addCleanup(lambda: glance.named("2 files", "label") and screen.press("Escape"))
        glance.wait_for("2 files", "label")
        options = self.running.last("run", verb="tag")["options"]
        self.assertRegex(" ".join(options), "^--parent=x11:[0-9a-f]+$", "the window it belongs to")
        glance.wait_for("Studio", "label")
        screen.act_until(
            lambda: glance.named("org.example.studio", "label")
            and not glance.named(WORKING_COPY, "label"),
            lambda: screen.type_into("Tag with Application", "studio"), "the list to narrow")
        screen.photograph(f"{session.kept}/{manager.name}-dialog.png")
        screen.act_until(
            lambda: not glance.named("2 files", "label"), lambda: screen.press("Return"),
            "the dialog to be answered")
        for name in "tag-1.txt", "tag-2.txt":
            wait(lambda: source(f"{FOLDER}/{name}"), f"{name} to be tagged")
            self.assertEqual(
                source(f"{FOLDER}/{name}"),
                "  Application  Studio\n  Identifier   org.example.studio\n"
                "  App info     https://icons.example.com/appInfo.json\n")
            if manager.has_column:
                wait(lambda: column(name) == "Studio", f"Studio beside {name}")

    def test_files_are_shared_with_what_is_chosen(self) -> None:
        record = session.recorder("org.example.receiver", "Receiver of Files")
        self.open_menu("copy-1.txt", "copy-2.txt")
        screen.wait_until_shown("Share…", *ENTRIES)
        screen.photograph(f"{session.kept}/{manager.name}-share-menu.png")
        self.choose_above("Share…")
        self.addCleanup(lambda: glance.named("2 files", "label") and screen.press("Escape"))
        glance.wait_for("2 files", "label")
        glance.wait_for("Receiver of Files", "label")
        screen.act_until(
            lambda: not glance.named("Copy", "label"),
            lambda: screen.type_into("Share", "receiver"), "the list to narrow")
        screen.photograph(f"{session.kept}/{manager.name}-share.png")
        screen.act_until(
            lambda: not glance.named("2 files", "label"), lambda: screen.press("Return"),
            "the dialog to be answered")
        wait(lambda: os.path.exists(record) and os.path.getsize(record), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{FOLDER}/copy-1.txt\n{FOLDER}/copy-2.txt\n")

    def test_file_is_opened_in_its_source(self) -> None:
        record = session.recorder("org.example.opener", "File_Opener")
        path = tagged("opens.txt", "-i", "org.example.opener")
        screen.wait_for("opens.txt", *CELLS)
        self.assertEqual(
            self.open_menu("opens.txt"),
            ["share", "open", "source", "tag", "copy", "watch", "remove"])
        screen.wait_until_shown("Open in File_Opener", *ENTRIES)
        screen.photograph(f"{session.kept}/{manager.name}-open-menu.png")
        self.choose_above("Open in File_Opener")
        wait(lambda: os.path.exists(record) and os.path.getsize(record), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{path}\n")

    # At the end of all

    def test_y0_column_is_sorted_with_files_without_a_source_last(self) -> None:
        self.require_column()
        place = f"{session.home}/ordered"
        for number, name in enumerate(["", "zeta", "Beta", "alpha"]):
            path = session.file(f"ordered/sorted-{number}.txt")
            if name:
                tag(path, "-i", "org.example.a", "--app-name", name)
        expected = [f"sorted-{number}.txt" for number in (3, 2, 1, 0)]
        session.start([*manager.command, f"file://{place}"], f"{manager.name}-sorted")
        wait(lambda: column("sorted-1.txt") == "zeta", "the folder")
        windows.fill_screen("ordered")
        screen.settle()

        def order() -> List[str]:
            return [name for name in columns() if name in expected]

        def sort() -> None:
            headings = screen.all_named("Source App")
            screen.click(next(filter(screen.is_showing, reversed(headings)), headings[-1]))
            screen.settle()
            if manager.has_widgets:
                # GTK 3 tells of rows that have changed places what they said before.
                screen.press("F5")
                screen.settle()

        screen.act_until(
            lambda: order() == expected, sort, f"the order {expected}", patience=8)
        screen.photograph(f"{session.kept}/{manager.name}-sorted.png")
        screen.press("ctrl+w")

    @unittest.skipUnless(
        shutil.which("bindfs") and os.path.exists("/dev/fuse"), "FUSE or bindfs is not here")
    def test_z0_slow_file_systems_are_read_by_another_process(self) -> None:
        self.require_column()
        tag(session.file("origin/slow.txt"), "-i", WORKING_COPY, "--app-name", "Working Copy")
        session.file("origin/bare.txt")
        place = f"{session.home}/mounted"
        os.mkdir(place)
        mounted = subprocess.run(["bindfs", f"{session.home}/origin", place])
        if mounted.returncode:
            self.skipTest("FUSE cannot be mounted here")
        self.addCleanup(subprocess.run, ["fusermount3", "-u", "-z", place])
        session.start([*manager.command, f"file://{place}"], f"{manager.name}-slow")
        self.running.wait_for("update", file=f"{place}/slow.txt", column="Working Copy")
        # It was asked at first, too, and not waited for.
        self.assertEqual(next(
            event["column"] for event in self.running.events("update")
            if event["file"] == f"{place}/slow.txt"), "")
        wait(lambda: column("slow.txt") == "Working Copy", "the source of the slow file")
        tag(f"{session.home}/origin/bare.txt", "-i", "org.example.editor", "--app-name", "Editor")
        # A change is missed before the file manager has begun to watch the file.
        touches = iter(range(100))
        screen.act_until(
            lambda: self.running.last("update", file=f"{place}/bare.txt", column="Editor"),
            lambda: session.run("setfattr", "-n", "user.touched", "-v", str(next(touches)),
                                f"{place}/bare.txt"), "the source of the other file")
        screen.press("ctrl+w")

    def test_z1_files_that_are_not_local_show_nothing(self) -> None:
        path = tagged("trashed.txt")
        session.run("gio", "trash", path)
        wait(lambda: session.run("gio", "list", "trash:///"), "the trash to have the file")
        seen = len(self.running.events("update")), len(self.running.events("menu"))
        session.start([*manager.command, "trash:///"], f"{manager.name}-trash")
        if not manager.has_column:
            windows.focus("^Trash.*$")
            screen.settle()
            screen.press("ctrl+2")

        def open_menu() -> None:
            screen.press("Escape")
            screen.click(screen.wait_for("trashed.txt", *CELLS, "icon"), button=3)

        screen.act_until(lambda: [
            item for item in screen.elements() if screen.role_of(item) == "menu item"
            and "Restore" in screen.text_of(item)], open_menu, "the menu of the trash")
        screen.settle()
        for kind, count in zip(("update", "menu"), seen):
            for event in self.running.events(kind)[count:]:
                self.assertNotIn("trash", str(event))
        self.close_menu()

    def test_z2_nothing_went_wrong(self) -> None:
        with open(self.running.errors, encoding="utf-8", errors="replace") as errors:
            lines = [line for line in errors if re.search("^docsource: |Traceback|Error: ", line)]
        self.assertEqual(lines, [])


if __name__ == "__main__":
    session.accounts["windows"] = windows.account
    session.accounts["what assistive technology sees"] = screen.account
    evidence.run_tests(session.accounts)
