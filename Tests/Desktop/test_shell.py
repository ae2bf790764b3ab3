"""GNOME Shell's search with files by their sources, typed, seen and opened on the screen.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where screenshots and logs go.
The shell is the window manager of the X display, and gets keys and clicks from there.
"""

import os
import shutil
import subprocess
import unittest
from typing import List, Optional

import evidence
from desktop_session import DesktopSession, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

import screen  # noqa: E402 (it takes the session's bus)

PROVIDER = "org.docsource.Search"
HEADING = "Files by Source"
FILES = "letter.txt", "draft.md", "picture.png"
PROVIDERS = "org.gnome.desktop.search-providers"
# The square of its icon (icons/applications).
_BLUE = 0x35, 0x84, 0xe4


def tag(name: str) -> None:
    path = session.file(name)
    session.docsource(
        "tag", "-q", "-i", "com.appliedphasor.working-copy", "--app-name", "Working Copy", path)
    return path


def shown(text: str, *roles: str) -> Optional[screen.Element]:
    element = screen.named(text, *roles)
    return element if element and screen.is_showing(element) else None


def overview() -> Optional[screen.Element]:
    """A button of the overview, which is shown while that is open."""
    return shown("Show Applications", "toggle button")


def type_search(words: str) -> None:
    """Opens the overview, unless it is open, and types in place of what was typed."""
    if not overview():
        screen.press("super")
        wait(overview, "the overview")
    screen.press("ctrl+a")
    subprocess.run(["xdotool", "type", "--delay", "40", words], check=True)


def listed() -> List[str]:
    return [name for name in FILES if shown(name, "label")]


def search(words: str, *names: str) -> None:
    """Searches until these files are listed, and no others: while one types, Return opens what an
    earlier answer had, and the shell drops all results when it reads anew what is installed."""
    screen.act_until(
        lambda: listed() == list(names), lambda: type_search(words), f"{names} as the results")


def active() -> str:
    """The title of the window that has the keys."""
    return subprocess.run(
        ["xdotool", "getactivewindow", "getwindowname"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True).stdout.strip()


@unittest.skipUnless(shutil.which("gnome-shell"), "gnome-shell is not installed")
class ShellTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        session.file(".config/user-dirs.dirs", b'XDG_DOCUMENTS_DIR="$HOME/Documents"\n')
        for name in FILES:
            tag(f"Documents/deep/{name}")
        session.file("Documents/working copy.txt")
        session.file(
            ".config/mimeapps.list",
            b"[Default Applications]\ntext/plain=l3afpad.desktop\n"
            b"inode/directory=thunar.desktop\n")
        session.serve_search()
        # The shell drops all results seconds after anything is added to this directory, which is
        # where lists of default applications are.
        for name in "Thunar", "gtk-3.0", "ibus/bus", "l3afpad", "xfce4":
            os.makedirs(f"{session.home}/.config/{name}")
        # What it would show to a new user, and to root, above the results.
        session.set("org.gnome.desktop.notifications", "show-banners", "false")
        session.file(".local/share/gnome-shell/lock-warning-shown", b"")
        session.set("org.gnome.shell", "welcome-dialog-last-shown-version", "999")
        # Services of the system, which it does without.
        session.start_needed(
            ["gnome-shell", "--x11", "--sm-disable"], "gnome-shell",
            {"XDG_CURRENT_DESKTOP": "GNOME",
             "DBUS_SYSTEM_BUS_ADDRESS": os.environ["DBUS_SESSION_BUS_ADDRESS"]})
        session.accounts["elements"] = screen.account
        wait(overview, "the overview")

    def tearDown(self) -> None:
        screen.photograph(f"{session.kept}/shell-{self.id().rpartition('.')[2]}.png")

    def test_files_are_listed_by_their_source(self) -> None:
        search("working copy", *FILES)
        picture = f"{session.kept}/shell-results.png"
        screen.photograph(picture)
        self.assertIsNone(screen.named("working copy.txt", "label"), "it has no source")
        self.assertTrue(shown("From “Working Copy”, in ~/Documents/deep", "label"))
        place = screen.place_of(shown(HEADING, "push button"))
        self.assertGreater(screen.count_pixels(picture, place, _BLUE), 300, "the heading's icon")
        left, top, _width, height = screen.place_of(shown("letter.txt", "label"))
        # Left of the name: a sheet of paper on dark ground.
        icon = left - 26, top + height // 2 - 4, 8, 8
        self.assertGreater(screen.brightness(picture, icon), 0.6, "the icon of the file")

    def test_result_is_opened(self) -> None:
        search("working copy lett", "letter.txt")
        screen.press("Return")
        wait(lambda: active().startswith("letter.txt"), "the file in the editor")
        self.assertIsNone(overview())

    def test_heading_opens_the_folder_of_links(self) -> None:
        search("working copy", *FILES)
        screen.click(shown(HEADING, "push button"))
        wait(lambda: active().startswith("Working Copy"), "the folder")
        self.assertEqual(
            sorted(os.listdir(f"{os.environ['XDG_RUNTIME_DIR']}/docsource/search/Working Copy")),
            ["draft.md", "letter.txt", "picture.png"])

    def test_search_can_be_turned_off(self) -> None:
        search("working copy", *FILES)
        session.set(PROVIDERS, "disabled", f"['{PROVIDER}.desktop']")
        self.addCleanup(session.set, PROVIDERS, "disabled", "[]")
        wait(lambda: not screen.named(HEADING, "push button"), "the results to go")
        type_search("working copy")
        screen.wait_for("No results.", "label")


if __name__ == "__main__":
    evidence.run_tests(session.accounts)
