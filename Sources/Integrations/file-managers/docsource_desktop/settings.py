"""What the dialogs remember between two runs, and where the user's settings are."""

import json
import os
import tempfile


def _place(variable: str, default: str) -> str:
    base = os.environ.get(variable, "")
    return os.path.join(base if base.startswith("/") else os.path.expanduser(default), "docsource")


def state_file() -> str:
    """The applications that were chosen last."""
    return os.path.join(_place("XDG_STATE_HOME", "~/.local/state"), "recent-applications")


def configuration_file(name: str) -> str:
    return os.path.join(_place("XDG_CONFIG_HOME", "~/.config"), name)


def _settings_file() -> str:
    return configuration_file("file-managers.json")


def write_file(path: str, text: str) -> None:
    """Writes a file whole or not at all. It is no harm if it cannot be written."""
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=os.path.dirname(path), delete=False) as file:
            file.write(text)
        os.replace(file.name, path)
    except OSError:
        pass


def asks_before_removing() -> bool:
    try:
        with open(_settings_file(), encoding="utf-8") as file:
            return json.load(file).get("askBeforeRemoving") is not False
    except (AttributeError, OSError, ValueError):  # there is none yet, or it is not ours
        return True


def ask_no_more() -> None:
    write_file(_settings_file(), json.dumps({"askBeforeRemoving": False}) + "\n")
