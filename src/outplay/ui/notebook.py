"""A trace in a notebook: the page's tree viewer as one self-contained piece of HTML.

It embeds the page's script and style, with the tree as data. Where scripts are disabled
(an untrusted notebook, or one shown by a website), a picture or text replaces it.
"""

import base64
import json
import secrets
from functools import cache
from html import escape
from typing import Any

from outplay.search.mcts.trace import UctTrace
from outplay.search.trace.trace import Trace
from outplay.ui import bundle, treesvg, ucttext
from outplay.ui.treedata import told
from outplay.ui.treetext import summary

MAX_STEPS = 60_000  # the most steps in a notebook


def html(trace: Trace | UctTrace) -> str:
    """The interactive tree; one that is too large becomes a line or a picture."""
    name = f"outplay-{secrets.token_hex(6)}"
    still = f'<div id="{name}">{_still(trace)}</div>'
    if len(trace.events) > MAX_STEPS:
        return still
    data = _inline(told(trace))
    call = f'$notebook.show(document.getElementById("{name}"), {data}, {_inline(_css())});'
    return f"{still}<script>(() => {{\n{_script()}\n{call}\n}})();</script>"


def _still(trace: Trace | UctTrace) -> str:
    """The fallback without scripts, as a data image, which survives where inline SVG is removed."""
    if isinstance(trace, UctTrace):
        return f"<pre>{escape(ucttext.text(trace))}</pre>"
    words = escape(summary(trace.tree()))
    try:
        picture = base64.b64encode(treesvg.svg(trace).encode()).decode()
    except ValueError as too_large:
        return f"<p>{words}; {escape(str(too_large))}</p>"
    return f'<img alt="{words}" src="data:image/svg+xml;base64,{picture}">'


def _inline(thing: Any) -> str:
    """JSON without `</script>`, which would end the script."""
    return json.dumps(thing, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _script() -> str:
    return "".join(map(bundle.constant, bundle.ordered(["notebook"]))).replace("</", "<\\/")


@cache
def _css() -> str:
    files = (bundle.STATIC / f"{name}.css" for name in ("tree", "notebook"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
