"""A desktop session of a test's own: display, bus, home directory, and docsource as installed."""

import atexit
import http.server
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from typing import Callable, Dict, List, Optional, Type, TypeVar

import evidence

Result = TypeVar("Result")

# Long enough for a machine on which others compile.
PATIENCE = 90.0

# The services that a file manager may start: accessibility, and GVfs for the trash.
_SERVICES = "org.a11y.Bus", "org.gtk.vfs.Daemon", "org.gtk.vfs.Metadata"
_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={0}</listen>
  <servicedir>{0}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


# The programs without which nothing comes, by their logs.
_needed: Dict[str, subprocess.Popen] = {}


class Site(http.server.ThreadingHTTPServer):
    """A server on this machine, which answers until it is shut down."""

    def __init__(self, page: Type[http.server.BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), page)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Late(AssertionError):
    """What was waited for did not come."""


def wait(condition: Callable[[], Optional[Result]], what: str) -> Result:
    """Waits until a condition holds, and returns what it gives."""
    result = wait_briefly(condition, PATIENCE)
    if not result:
        ended = [f"; {log}: {evidence.state_of(_needed[log])}" for log in _ended()]
        raise Late(f"waited in vain for {what}{''.join(ended)}")
    return result


def wait_briefly(
    condition: Callable[[], Optional[Result]], patience: float = 10.0,
) -> Optional[Result]:
    """Waits until a condition holds, for so many seconds, or until it cannot come to hold."""
    end = time.monotonic() + patience
    while True:
        ended = _ended()
        result = condition()
        if result or ended or time.monotonic() > end:
            return result
        time.sleep(0.1)


def _ended() -> List[str]:
    return [log for log, process in _needed.items() if process.poll() is not None]


class DesktopSession:
    """Starts it, and puts it into the environment of this process."""

    def __init__(self, installed: str, kept: str, size: str = "1280x800") -> None:
        """`installed` is where `make install` has put things, `kept` what outlives the session."""
        self._size = size
        self.prefix = f"{installed}/usr"
        self.kept = kept
        self.place = os.path.realpath(tempfile.mkdtemp(prefix="docsource-desktop-"))
        self.home = f"{self.place}/home"
        self._processes: List[subprocess.Popen] = []
        self.accounts: Dict[str, Callable[[], str]] = {}
        # Whoever ends this process ends the session: it lies in no group of its own.
        signal.signal(signal.SIGTERM, self._give_up)
        atexit.register(self.close)
        for name in "home", "home/.local/share", "run", "bus/services":
            os.makedirs(f"{self.place}/{name}", mode=0o700)
        os.makedirs(kept, exist_ok=True)
        prefix = self.prefix
        for name in list(os.environ):
            if name.startswith(("XDG_", "LC_", "DBUS_", "GTK_", "AT_SPI")) or name == "LANGUAGE":
                del os.environ[name]
        os.environ.update({
            "HOME": self.home, "XDG_RUNTIME_DIR": f"{self.place}/run", "LANG": "C.UTF-8",
            "XDG_DATA_DIRS": f"{prefix}/share:/usr/share", "XDG_CURRENT_DESKTOP": "test",
            "LD_LIBRARY_PATH": f"{prefix}/lib", "GSETTINGS_BACKEND": "keyfile",
            "PYTHONPATH": f"{prefix}/lib/python3/dist-packages", "PYTHONDONTWRITEBYTECODE": "1",
            # Drawn without GL, and nothing that moves: neither is fast here.
            "GSK_RENDERER": "cairo", "LIBGL_ALWAYS_SOFTWARE": "1",
        })
        # Nemo and Caja look for extensions below /usr and in the home directory alone.
        for manager in "nemo", "caja":
            extensions = f"{self.home}/.local/share/{manager}-python/extensions"
            os.makedirs(extensions)
            os.symlink(
                f"{prefix}/share/docsource/file-managers/docsource_extension.py",
                f"{extensions}/docsource_extension.py")
        self._start_display()
        self._start_bus()
        self.set("org.gnome.desktop.interface", "enable-animations", "false")
        self.set("org.gnome.desktop.interface", "toolkit-accessibility", "true")

    def _give_up(self, *_: object) -> None:
        evidence.tell(self.accounts)
        raise KeyboardInterrupt

    def _start_display(self) -> None:
        for _ in range(5):  # another server may take the number that this one was to have
            reader, writer = os.pipe()
            # When its last client leaves, it would start anew, and turn away who comes meanwhile.
            self.start(
                ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{self._size}x24",
                 "-nolisten", "tcp", "-noreset"], "display", pass_fds=[writer])
            os.close(writer)
            with os.fdopen(reader) as display:
                number = display.readline().strip()
            if number:
                os.environ["DISPLAY"] = f":{number}"
                return
        raise OSError("Xvfb does not start")

    def _start_bus(self) -> None:
        bus = f"{self.place}/bus"
        for name in _SERVICES:
            shutil.copy(f"/usr/share/dbus-1/services/{name}.service", f"{bus}/services/")
        with open(f"{bus}/session.conf", "w", encoding="utf-8") as configuration:
            configuration.write(_BUS.format(bus))
        reader, writer = os.pipe()
        self.start(
            ["dbus-daemon", f"--config-file={bus}/session.conf", f"--print-address={writer}"],
            "bus", pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as address:
            os.environ["DBUS_SESSION_BUS_ADDRESS"] = address.readline().strip()
        if not os.environ["DBUS_SESSION_BUS_ADDRESS"]:
            raise OSError("dbus-daemon does not start")

    def start(
        self, command: List[str], log: str, environment: Optional[Dict[str, str]] = None,
        **more: object,
    ) -> subprocess.Popen:
        """Starts a program that ends with the session."""
        path = f"{self.kept}/{log}.txt"
        with open(path, "wb") as errors:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                env={**os.environ, **(environment or {})}, **more)
        self._processes.append(process)
        self.accounts[log] = lambda: f"{evidence.state_of(process)}\n{evidence.end_of(path)}"
        return process

    def start_needed(
        self, command: List[str], log: str, environment: Optional[Dict[str, str]] = None,
    ) -> subprocess.Popen:
        """Starts a program without which there is nothing to wait for."""
        process = _needed[log] = self.start(command, log, environment)
        return process

    def end(self, process: subprocess.Popen) -> None:
        for log in [log for log, needed in _needed.items() if needed is process]:
            del _needed[log]
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def run(self, *command: str, **more: object) -> str:
        return subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout

    def docsource(self, *words: str) -> str:
        return self.run(f"{self.prefix}/bin/docsource", *words)

    def set(self, schema: str, key: str, value: str) -> None:
        self.run("gsettings", "set", schema, key, value)

    def wait_for_service(self, name: str) -> None:
        """A file manager may show its window before it can be called."""
        self.run("gdbus", "wait", "--session", "--timeout", str(int(PATIENCE)), name)

    def serve_search(self) -> None:
        """Lets the bus and GNOME Shell start docsource-search where it is installed here."""
        name, placed = "org.docsource.Search", f'"{self.prefix}/libexec'
        for installed, own in (
            (f"dbus-1/services/{name}.service", f"{self.place}/bus/services/{name}.service"),
            (f"applications/{name}.desktop",
             f"{self.home}/.local/share/applications/{name}.desktop"),
        ):
            with open(f"{self.prefix}/share/{installed}", encoding="utf-8") as file:
                moved = file.read().replace('"/usr/libexec', placed)
            os.makedirs(os.path.dirname(own), exist_ok=True)
            with open(own, "w", encoding="utf-8") as file:
                file.write(moved)
        self.run(
            "gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o",
            "/org/freedesktop/DBus", "-m", "org.freedesktop.DBus.ReloadConfig")

    def file(self, name: str, content: bytes = b"content\n") -> str:
        """Makes a file in the home directory, and returns its path."""
        path = f"{self.home}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def recorder(
            self, identifier: str, name: str, media_type: str = "text/plain", field: str = "%F") -> str:
        """Installs an application that writes down what it is started with, and returns where."""
        record = f"{self.home}/{identifier}.record"
        program = self.file(
            f"{identifier}.sh", f"#!/bin/sh\nprintf '%s\\n' \"$@\" >'{record}'\n".encode())
        os.chmod(program, 0o755)
        self.file(
            f".local/share/applications/{identifier}.desktop",
            f"[Desktop Entry]\nType=Application\nName={name}\nExec={program} {field}\n"
            f"MimeType={media_type};\n".encode())
        subprocess.run(
            ["update-desktop-database", f"{self.home}/.local/share/applications"], check=True)
        return record

    def close(self) -> None:
        for process in reversed(self._processes):
            if process.poll() is None:
                self.end(process)
        shutil.rmtree(self.place, ignore_errors=True)
