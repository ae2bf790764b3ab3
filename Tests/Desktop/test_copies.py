"""What file managers show where two copies of docsource are installed, as of a package and of make.

DESKTOP_MANAGER names the file manager, DESKTOP_INSTALLED where the copy below /usr is, DESKTOP_COPY
where that below /usr/local is, and DESKTOP_KEPT where screenshots and logs are put.
"""

import os
import re
import shutil
import unittest

import evidence
import test_dolphin
import windows
from desktop_session import wait
from file_manager import ALL, FileManager, RunningManager
from glance import columns
from test_dolphin import FOLDER, session, tagged

import screen  # noqa: E402 (it takes the session's bus)

COPY = f"{os.environ['DESKTOP_COPY']}/usr/local"
CELLS = "label", "table cell"
TABS = "list item", "page tab", "radio button"
NAME = os.environ["DESKTOP_MANAGER"]


def with_both_copies(manager: FileManager) -> FileManager:
    """With the two copies where the file manager looks. Nemo and Caja look below /usr and in the home
    directory, into which the copy of make is linked, as the manual says."""
    if manager.name not in ("nemo", "caja"):
        return manager
    system = f"/usr/share/{manager.name}-python/extensions"
    package = f"{session.place}/{manager.name}"
    own = f"{session.home}/.local/share/{manager.name}-python/extensions"
    os.mkdir(package)
    os.symlink(
        f"{session.prefix}/share/docsource/file-managers/docsource_extension.py",
        f"{package}/docsource_extension_usr.py")
    os.unlink(f"{own}/docsource_extension.py")
    os.symlink(
        f"{COPY}/share/docsource/file-managers/docsource_extension.py",
        f"{own}/docsource_extension.py")
    return manager._replace(
        command=[
            "bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--bind", package, system,
            *manager.command])


@unittest.skipIf(NAME == "dolphin", "Dolphin has plugins of its own")
@unittest.skipUnless(shutil.which(NAME), f"{NAME} is not installed")
@unittest.skipUnless(
    NAME not in ("nemo", "caja") or shutil.which("bwrap"), "bwrap is not installed")
class CopiesTests(unittest.TestCase):
    @staticmethod
    def show_list() -> None:
        windows.focus("^documents.*$")
        screen.press("ctrl+2")

    def test_column_page_and_menu_are_there_once(self) -> None:
        tagged("letter.txt")
        manager = with_both_copies(ALL[NAME])
        running = RunningManager(manager, session, FOLDER, manager.name, {
            "XDG_DATA_DIRS": f"{COPY}/share:{session.prefix}/share:/usr/share"})
        self.addCleanup(running.end)
        if not manager.has_column:
            screen.act_until(
                lambda: screen.named("letter.txt", *CELLS), self.show_list, "the list")
        screen.wait_for("letter.txt", *CELLS)
        running.fill_screen()
        screen.settle()
        if manager.has_column:
            wait(lambda: columns().get("letter.txt") == "Working Copy", "the column")
            # GTK 3 has a label in each heading, too.
            role = "label" if NAME == "nautilus" else "table column header"
            self.assertEqual(len(screen.all_named("Source App", role)), 1)
        screen.act_until(
            lambda: running.events("menu"),
            lambda: screen.click(screen.wait_for("letter.txt", *CELLS), button=3), "the menu")
        screen.settle()
        screen.photograph(f"{session.kept}/menu.png")
        shown = list(filter(screen.is_showing, screen.all_named("Share…", "menu item", "menu")))
        self.assertEqual(len(shown), 1)
        screen.press("Escape")
        running.show_properties(f"{FOLDER}/letter.txt")
        screen.wait_for("Source App", *TABS)
        screen.settle()
        screen.photograph(f"{session.kept}/page.png")
        self.assertEqual(len(screen.all_named("Source App", *TABS)), 1)
        with open(running.errors, encoding="utf-8", errors="replace") as errors:
            wrong = re.compile("^docsource: |Traceback|cannot register|g_type_")
            self.assertEqual([line for line in errors if wrong.search(line)], [])


@unittest.skipUnless(NAME == "dolphin", "for Dolphin")
@unittest.skipIf(test_dolphin.needed(), test_dolphin.needed())
class DolphinCopiesTests(test_dolphin.DolphinWindow):
    def test_emblem_page_and_menu_are_there_once(self) -> None:
        self.start(
            "dolphin", QT_PLUGIN_PATH=f"{COPY}/lib/qt5/plugins:{test_dolphin.PLUGINS}",
            XDG_DATA_DIRS=f"{COPY}/share:{session.prefix}/share:/usr/share")
        screen.settle()
        self.assertEqual(
            self.reported("emblem"), [(f"{FOLDER}/letter.txt", test_dolphin.GENERIC)])
        with self.properties_of("letter.txt"):
            wait(lambda: self.reported("property"), "the page")
            screen.settle()
            names = [name for name, *_ in self.reported("property")]
            screen.photograph(f"{session.kept}/page.png")
        self.assertEqual(names, ["Application", "Identifier", "Document"])
        entries = self.choose_in_menu("letter", "Escape")
        self.assertEqual([verb for _, verb in entries], ["share", "tag", "copy", "watch", "remove"])


if __name__ == "__main__":
    session.accounts["windows"] = windows.account
    evidence.run_tests(session.accounts)
