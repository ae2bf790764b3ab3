"""Has file managers sort a column by the rules of the user's language."""

import locale

# File managers compare the bytes of the texts that extensions give them, and no extension can have
# them do otherwise. So a text begins with its weights in that language, in characters that show
# nothing: tags, whose bytes are in the order of their numbers. Programs that compare texts by
# language pass over these characters, and so does whoever draws or reads them out.
_FIRST = 0xe0020
_COUNT = 95
_ONES, _TWOS, _THREES = 60, 20, 14
"""How many characters begin a weight of one, two and three characters. None begins with the last."""
_WEIGHTS = 16
_SEPARATOR = "\x01"
"""Between the weights of letters and those of accents and capitals, in the GNU C library."""

LAST = chr(_FIRST + _COUNT - 1)
"""Sorts after all texts."""


def _digits(weight: int) -> "tuple[int, ...]":
    if weight < _ONES:
        return (weight,)
    weight -= _ONES
    if weight < _TWOS * _COUNT:
        return _ONES + weight // _COUNT, weight % _COUNT
    weight = min(weight - _TWOS * _COUNT, _THREES * _COUNT * _COUNT - 1)
    first, rest = divmod(weight, _COUNT * _COUNT)
    return _ONES + _TWOS + first, rest // _COUNT, rest % _COUNT


def sortable(text: str) -> str:
    """A text, which may be empty, that file managers sort by the user's language."""
    if not text:
        return LAST
    try:
        weights = locale.strxfrm(text.casefold()).partition(_SEPARATOR)[0][:_WEIGHTS]
    except (OSError, ValueError):
        return text
    # Nothing but what shows nothing comes before the text.
    return "".join(
        chr(_FIRST + digit) for weight in weights for digit in _digits(ord(weight))) + text


def visible(text: str) -> str:
    """The text without the weights."""
    return text.lstrip("".join(chr(_FIRST + digit) for digit in range(_COUNT)))
