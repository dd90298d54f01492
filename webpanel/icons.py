"""The panel's drawings: lines on a field of 24 by 24."""

from __future__ import annotations

from markupsafe import Markup

THUMB = (
    "M7 11v9H4.5A1.5 1.5 0 0 1 3 18.5v-6A1.5 1.5 0 0 1 4.5 11zM7 11l4.2-7.4A2.1 2.1 0 0 1 15 "
    "4.7V9h4.3a2 2 0 0 1 2 2.3l-1.1 7A2 2 0 0 1 18.2 20H7"
)
DRAWINGS = {
    "repeat": "M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1",
    "pause": "M8.5 5v14M15.5 5v14",
    "go": "M7 4.5v15l12-7.5z",
    "skip": "M5 5v14l9-7zM18.5 5v14",
    "undo": "M8.5 5 4 9.5 8.5 14M4 9.5h9.5a6 6 0 0 1 0 12H10",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "close": "M6 6l12 12M18 6 6 18",
    "more": "M12 5v14M5 12h14",
    "less": "M5 12h14",
    "moon": "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5z",
    "sun": "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4"
    "M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
    "phone": "M8 2.5h8A1.5 1.5 0 0 1 17.5 4v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 "
    "1.5 0 0 1 8 2.5zM11 18.5h2",
    "hold": "M9 12.5V5.2a1.7 1.7 0 0 1 3.4 0V11M12.4 10.2a1.6 1.6 0 0 1 3.2 0v1M15.6 11a1.5 1.5 0 0 1 3 "
    "0v4.5a6 6 0 0 1-6 6h-.8a6 6 0 0 1-4.6-2.2l-3-3.9a1.6 1.6 0 0 1 2.3-2.2L9 15",
    "swap": "M8 4v14M4.5 14.5 8 18l3.5-3.5M16 20V6M12.5 9.5 16 6l3.5 3.5",
    "sound": "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
    "ear": "M8 20.5c1.5.8 3.6.6 4.6-1.3 1-2 .6-3 2.6-4.8A6.6 6.6 0 1 0 5 9.5M8.5 10a3 3 0 1 1 4.6 2.5",
    "thumb": THUMB,
}


def icon(name: str, kind: str = "icon") -> Markup:
    """The drawing of that name as inline SVG; KeyError if there is none. `thumb-down` is the thumb turned over."""
    turned = name == "thumb-down"
    path = DRAWINGS["thumb" if turned else name]
    turn = Markup(' transform="rotate(180 12 12)"') if turned else ""
    return Markup('<svg class="{}" viewBox="0 0 24 24" aria-hidden="true"><path d="{}"{}/></svg>').format(
        kind, path, turn
    )
