"""A desktop session below `docsource watch`, and what its files say of their writers."""

import json, os, shutil, signal, subprocess, tempfile, time

import evidence, windows
from desktop_session import wait, wait_briefly


_WRITER = """
import sys, time
number = 0
while True:
    with open(f"{sys.argv[1]}/{number % 100}", "w") as file:
        file.write("text")
    number += 1
    time.sleep(1 / 150)
"""


class Session:
    def __init__(self, home, kept, name="watch"):
        self.home = home
        self.kept = kept
        self.errors = open(f"{kept}/{name}-programs.txt", "w")
        self.accounts = {
            "windows": windows.account,
            "what programs say": lambda: evidence.end_of(self.errors.name),
        }
        for name in [n for n in os.environ if n.startswith(("XDG_", "DBUS_", "GIO_"))]:
            del os.environ[name]
        os.environ.update({
            "HOME": home, "XDG_RUNTIME_DIR": f"{home}/run", "GSETTINGS_BACKEND": "memory",
            "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1", "GTK_OVERLAY_SCROLLING": "0",
        })
        for name in "run", "Documents", ".config":
            os.makedirs(f"{home}/{name}", mode=0o700)
        with open(f"{home}/.config/user-dirs.dirs", "w") as directories:
            directories.write('XDG_DOCUMENTS_DIR="$HOME/Documents"\n')
        self.processes = []
        reading, writing = os.pipe()
        # When its last client leaves, it would start anew, and turn away who comes meanwhile.
        self.start("Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten",
                   "tcp", "-noreset", pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as display:
            os.environ["DISPLAY"] = f":{display.readline().strip()}"
        reading, writing = os.pipe()
        self.start("dbus-daemon", "--session", "--nofork", f"--print-address={writing}",
                   pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as address:
            os.environ["DBUS_SESSION_BUS_ADDRESS"] = address.readline().strip()
        # Dialogs get the keyboard by a window manager only.
        self.start("openbox")

    def start(self, *command, **more):
        """Starts a program that ends with the session."""
        more = {"stdout": self.errors, "stderr": self.errors, "cwd": self.home,
                "start_new_session": True, **more}
        process = subprocess.Popen(command, **more)
        self.processes.append(process)
        self.accounts[os.path.basename(command[0])] = lambda: evidence.state_of(process)
        return process

    def watch(self, docsource, *options):
        """Begins to watch the documents."""
        self.accounts["what docsource reports"] = (
            lambda: evidence.end_of(f"{self.kept}/watch.json"))
        with open(f"{self.kept}/watch.json", "w") as events:
            # As the service is.
            self.watching = self.start(
                "nice", "-n", "-5", docsource, "watch", "--json", *options,
                f"{self.home}/Documents", stdout=events, stderr=events)
        begun = f"{self.home}/Documents/begun.txt"

        def has_begun():
            with open(begun, "w"):
                pass
            return wait_briefly(lambda: self.events(begun), 0.5)

        wait(has_begun, "docsource to watch")
        os.unlink(begun)

    def load(self):
        """Has others write while the session lasts: 150 files a second, and a compiler."""
        os.makedirs(f"{self.home}/.cache/load")
        self.start("python3", "-c", _WRITER, f"{self.home}/.cache/load", stdout=subprocess.DEVNULL)
        with open(f"{self.home}/.cache/load/main.c", "w") as program:
            program.write("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
        self.start("sh", "-c", "while :; do cc -O2 -o .cache/load/main .cache/load/main.c; done")

    def events(self, path):
        """What docsource has reported of a file."""
        with open(f"{self.kept}/watch.json") as lines:
            whole = [line for line in lines if line.startswith("{") and line.endswith("}\n")]
        events = map(json.loads, whole)
        return [event for event in events if event.get("file") == path]

    def has_event(self, path):
        return wait_briefly(lambda: self.events(path), 3)

    def event(self, path):
        """The last of these, once there is one."""
        return wait(lambda: self.events(path), f"an event of {path}")[-1]

    def close(self):
        self.end_since(0)
        self.errors.close()
        wait_briefly(lambda: not self.launched())

    def end_since(self, count):
        """Ends all programs but the first ones."""
        while len(self.processes) > count:
            process = self.processes.pop()
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def launched(self):
        """The applications that run: without a display they end, but write to their home first."""
        running = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{process}/cwd") == self.home:
                    running.append(process)
            except OSError:  # it has just ended
                pass
        return running

    def launch(self, identifier):
        """A process of its own, as a panel starts it; it ends with the display."""
        subprocess.run(["gio", "launch", f"/usr/share/applications/{identifier}.desktop"],
                       check=True, cwd=self.home, stdout=self.errors, stderr=self.errors)

    def window(self, title):
        """Waits for a window and gives it the keyboard."""
        wait(lambda: self.focus(title), f"the keyboard in {title}")
        time.sleep(0.5)

    def focus(self, title):
        """Gives the keyboard to the latest window with a title, if there is one."""
        for window in windows.titled(title)[-1:]:
            subprocess.run(["xdotool", "windowactivate", window], stderr=subprocess.DEVNULL)
            active = subprocess.run(["xdotool", "getactivewindow"], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True)
            return active.stdout.strip() == window
        return False

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "30", text], check=True)

    def press(self, *keys):
        subprocess.run(["xdotool", "key", "--delay", "60", *keys], check=True)

    def dialog(self, window, key, title):
        """Has a key open a dialog; where something else has taken it, again."""
        def opened():
            if not windows.titled(title):
                self.window(window)
                self.press(key)
            return wait_briefly(lambda: windows.titled(title))
        wait(opened, f"{key} to open {title}")
        self.window(title)


def source(docsource, path):
    """What the file says it comes from; nothing if it says nothing."""
    show = subprocess.run([docsource, "show", "--json", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return json.loads(show.stdout)["source"] if show.returncode == 0 else None


def expect_source(docsource, file, **values):
    """Waits until the file says this of its source: it may have another name at first."""
    wait(lambda: source(docsource, file), f"the source of {file}")
    wait_briefly(lambda: matches(source(docsource, file), values))
    expect(source(docsource, file), **values)


def matches(found, values):
    """A file that takes another one's place says nothing at first."""
    return found is not None and all(found.get(key) == value for key, value in values.items())


def expect(found, **values):
    if not matches(found, values):
        raise SystemExit(f"{found} has not {values}")
