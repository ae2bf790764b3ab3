"""Finds the installed translations and programs."""

import gettext
import os

_depth = len("/share/docsource/file-managers/docsource_desktop/places.py".split("/")) - 1
PREFIX = os.path.realpath(__file__).rsplit("/", _depth)[0]

_translations = gettext.translation("docsource", f"{PREFIX}/share/locale", fallback=True)
text = _translations.gettext
ngettext = _translations.ngettext


def program(name: str) -> str:
    """The path of docsource or one of its helpers, or the name, for a search in PATH."""
    place = "bin" if name == "docsource" else "libexec/docsource"
    path = f"{PREFIX}/{place}/{name}"
    return path if os.path.exists(path) else name
