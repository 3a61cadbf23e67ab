"""The HTML page of a drift report in a real browser: what it shows, how it filters, and what it must never do.

The tests need chromium and are skipped where there is none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.browser import NAMES, Browser, Page, find
from support.reports import EMPTY, HOSTILE, SMALL, hostile, large

from acp_codegen.drift.model import Report
from acp_codegen.drift.rules import RULES
from acp_codegen.errors import printable
from acp_codegen.report import render

COMMAND = find()
if COMMAND is None:
    pytest.skip(f"no browser on this machine: looked for {', '.join(NAMES)}", allow_module_level=True)

NAME, CHEF, METHOD, FAN, TITLE = [change.subject for change in SMALL.changes]
TALL = {"enum": list(range(49))}
PHONE = {"width": 390, "height": 844}
VISIBLE = (
    "[...document.querySelectorAll('.change')].filter(e => e.checkVisibility()).map(e => e.getAttribute('aria-label'))"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(COMMAND, tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages that the tests open, as files."""
    folder = tmp_path_factory.mktemp("pages")
    tall = replace(SMALL.changes[3], new={**TALL, "more": "new"})
    known = replace(SMALL.changes[0], rule=next(iter(RULES)))
    reports = {
        "small": SMALL,
        "empty": EMPTY,
        "hostile": hostile(),
        "large": large(3000),
        "explained": Report(SMALL.old, SMALL.new, (known,)),
        "tall": Report(SMALL.old, SMALL.new, (tall, replace(tall, old=TALL, old_where="/$defs/Oven"))),
    }
    for name, report in reports.items():
        (folder / f"{name}.html").write_text(render(report, "html"), encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in reports}


@pytest.fixture
def page(browser: Browser, addresses: dict[str, str]) -> Iterator[Page]:
    """The small report, open; whatever a test does, nothing is requested beyond the page and nothing goes wrong."""
    with browser.page() as opened:
        opened.open(addresses["small"])
        yield opened
        assert {request.partition("#")[0] for request in opened.requests()} == {addresses["small"]}
        assert opened.complaints() == []


def shown(page: Page) -> list[str]:
    subjects: list[str] = page.run(VISIBLE)
    return subjects


def status(page: Page) -> str:
    text: str = page.run("document.getElementById('shown').textContent")
    return text


def choose(page: Page, value: str) -> None:
    page.click(f"label:has([value='{value}'])")


def search(page: Page, text: str) -> None:
    page.key("/")
    page.run("document.activeElement.select()")
    page.type(text)


def anchor(index: int) -> str:
    """The address of a change within the small report's page."""
    change = SMALL.changes[index]
    return f"#{change.rule}:{change.subject.replace('/', '-')}"


# -------------------------------------------------------------------------------------------------- what is there


def test_counts_and_verdict_are_shown(page: Page) -> None:
    assert page.run("document.title") == "Schema drift: drafts/june/schema.json → schema/schema.json"
    cards = page.run("[...document.querySelectorAll('.card')].map(e => e.innerText.replace(/\\s+/g, ' ').trim())")
    assert cards == [
        "3 Wire a peer of the other version can be misread or refused",
        "1 Source the generated Python API changes",
        "1 Docs neither the wire nor the API changes",
    ]
    chips = page.run("[...document.querySelectorAll('.chip')].map(e => e.innerText.trim())")
    assert chips == ["breaks 2", "loses 1", "safe 2"]
    assert status(page) == "5 of 5 changes"
    assert shown(page) == [NAME, CHEF, METHOD, FAN, TITLE]


def test_changes_stand_under_their_definitions(page: Page) -> None:
    groups = page.run(
        "[...document.querySelectorAll('.group')]"
        ".map(g => [g.querySelector('h2').textContent, g.querySelectorAll('.change').length])"
    )
    assert groups == [["Recipe", 2], ["Methods and messages", 1], ["Oven", 2]]
    entries = page.run("[...document.querySelectorAll('nav li')].map(e => e.innerText.split(/\\s*\\n\\s*/))")
    assert entries == [["Recipe", "2"], ["Methods and messages", "1"], ["Oven", "2"]]


def test_a_change_shows_both_sides_with_the_changed_lines_marked(page: Page) -> None:
    article = f"document.getElementById('{anchor(0)[1:]}')"
    assert page.run(f"[...{article}.querySelectorAll('th')].map(e => e.textContent)") == [
        "Old #/$defs/Recipe/properties/id",
        "New #/$defs/Recipe/properties/recipeId",
    ]
    assert page.run(f"[...{article}.querySelectorAll('del')].map(e => e.textContent)") == ['  "minLength": 1']
    assert page.run(f"[...{article}.querySelectorAll('ins')].map(e => e.textContent)") == [
        '  "minLength": 3,\n  "maxLength": 64'
    ]
    columns = (
        "[...{}.querySelectorAll('tr')].map(r => [...r.querySelectorAll('td')].map(c => c.textContent.trim())[{}])"
    )
    for side, fragment in ((0, SMALL.changes[0].old), (1, SMALL.changes[0].new)):
        assert json.loads("".join(page.run(columns.format(article, side))[1:])) == fragment
    left, right = page.run(f"[...{article}.querySelectorAll('th')].map(e => e.getBoundingClientRect().x)")
    assert left < right
    assert page.run(f"{article}.querySelector('.facts').innerText.split(/\\s*\\n\\s*/)") == [
        "wire",
        "old reader breaks",
        "new reader breaks",
        "field-renamed",
    ]


def test_a_side_that_is_not_there_is_not_shown(page: Page) -> None:
    heads = "[...document.getElementById({}).querySelectorAll('th')].map(e => e.textContent)"
    assert page.run(heads.format(json.dumps(anchor(1)[1:]))) == ["Old #/$defs/Recipe/properties/chef"]
    assert page.run(heads.format(json.dumps(anchor(2)[1:]))) == ["New"]
    assert page.run(heads.format(json.dumps(anchor(3)[1:]))) == ["New #/$defs/Oven/properties/fan"]


def test_tall_fragments_are_folded(browser: Browser, addresses: dict[str, str]) -> None:
    """What is added whole and is long opens on request; of what stays, only the lines near a difference are there."""
    with browser.page() as page:
        page.open(addresses["tall"])
        assert page.run("[...document.querySelectorAll('ins')].map(e => e.checkVisibility())") == [False, True]
        assert page.run("document.querySelector('summary:not(nav *)').innerText") == "Show 54 lines"
        page.click(".long summary")
        assert page.run("document.querySelector('.long ins').checkVisibility()")
        hidden = page.run("[...document.querySelectorAll('.hidden td:first-child')].map(e => e.innerText)")
        assert hidden == ["49 equal lines"]
        assert page.complaints() == []


def test_no_changes_are_said_clearly(browser: Browser, addresses: dict[str, str]) -> None:
    with browser.page() as page:
        page.open(addresses["empty"])
        assert page.run("document.querySelector('.verdict').innerText") == "No changes."
        assert page.run("document.querySelectorAll('.change, form, nav').length") == 0
        assert page.complaints() == []


def test_rules_are_explained_at_the_end(browser: Browser, addresses: dict[str, str]) -> None:
    rule = next(iter(RULES.values()))
    with browser.page() as page:
        page.open(addresses["explained"])
        page.click("a.rule")
        assert page.run("location.hash") == f"#rule:{rule.id}"
        explained = page.run("document.querySelector(':target').textContent")
        assert explained == f"{rule.id} {rule.title}{rule.explanation}"
        assert page.complaints() == []


# ------------------------------------------------------------------------------------------------------- filters


@pytest.mark.parametrize(
    "values, expected",
    [
        (["wire"], [NAME, CHEF, METHOD]),
        (["source"], [FAN]),
        (["docs"], [TITLE]),
        (["source", "docs"], [FAN, TITLE]),
        (["breaks"], [NAME, METHOD]),
        (["loses"], [CHEF]),
        (["safe"], [FAN, TITLE]),
        (["wire", "loses"], [CHEF]),
        (["source", "breaks"], []),
        (["wire", "wire"], [NAME, CHEF, METHOD, FAN, TITLE]),
    ],
)
def test_filter_by_category_and_severity(page: Page, values: list[str], expected: list[str]) -> None:
    for value in values:
        choose(page, value)
    assert shown(page) == expected
    assert status(page) == f"{len(expected)} of 5 changes"
    assert page.run("document.getElementById('nothing').checkVisibility()") == (not expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("recipeid", [NAME]),  # a subject, in any case
        ("field-removed", [CHEF]),  # a rule
        ("answers it with", [METHOD]),  # a sentence
        ("OVEN", [FAN, TITLE]),  # a definition
        ("reader  recipe", [NAME, CHEF]),  # all words, in any order
        ("no such thing", []),
        (".*", []),  # text, no pattern
    ],
)
def test_search(page: Page, text: str, expected: list[str]) -> None:
    search(page, text)
    assert shown(page) == expected
    assert status(page) == f"{len(expected)} of 5 changes"


def test_filters_work_together_and_are_cleared_together(page: Page) -> None:
    clear = ".bar [data-clear]"
    assert not page.run(f"document.querySelector('{clear}').checkVisibility()")
    search(page, "optional")
    assert shown(page) == [CHEF, FAN]
    choose(page, "wire")
    choose(page, "source")
    choose(page, "loses")
    assert shown(page) == [CHEF]
    entries = page.run(
        "[...document.querySelectorAll('nav li')].filter(e => e.checkVisibility()).map(e => e.innerText)"
    )
    assert [entry.split() for entry in entries] == [["Recipe", "1"]]
    page.click(clear)
    assert shown(page) == [NAME, CHEF, METHOD, FAN, TITLE]
    assert page.run("document.querySelector('[name=query]').value") == ""
    assert not page.run(f"document.querySelector('{clear}').checkVisibility()")


# --------------------------------------------------------------------------------------------- links and keyboard


def current(page: Page) -> list[str]:
    subjects: list[str] = page.run(
        "[...document.querySelectorAll('[aria-current]')].map(e => e.getAttribute('aria-label'))"
    )
    return subjects


def place(page: Page, id: str) -> float:
    """How far below the bar an element has come to rest."""
    page.frames(12)
    top, bottom = page.run(
        f"[document.getElementById({json.dumps(id)}).getBoundingClientRect().top,"
        " document.querySelector('.bar').getBoundingClientRect().bottom]"
    )
    below: float = top - bottom
    return below


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_a_link_leads_to_its_change_and_survives_a_reload(
    browser: Browser, addresses: dict[str, str], size: dict[str, int]
) -> None:
    with browser.page(**size) as page:
        page.open(f"{addresses['large']}#field-removed:Dish200.part1401")
        assert current(page) == ["Dish200.part1401"]
        assert 10 < place(page, "field-removed:Dish200.part1401") < 14
        page.reload()
        assert page.run("location.hash") == "#field-removed:Dish200.part1401"
        assert current(page) == ["Dish200.part1401"]
        assert 10 < place(page, "field-removed:Dish200.part1401") < 14
        for name in ("Dish300.part2100", "Dish10.part72"):
            page.run(f"location.hash = '#field-renamed:{name}'")
            assert 10 < place(page, f"field-renamed:{name}") < 14
            assert current(page) == [name]
        page.key("j")
        assert current(page) == ["Dish10.part73"]
        assert 10 < place(page, "field-removed:Dish10.part73") < 14
        assert page.complaints() == []


def test_a_link_shows_a_change_that_was_filtered_away(page: Page) -> None:
    choose(page, "docs")
    page.run(f"location.hash = {json.dumps(anchor(1))}")
    page.run("new Promise(done => setTimeout(done))")  # the page hears of it with the next turn
    assert shown(page) == [NAME, CHEF, METHOD, FAN, TITLE]
    assert current(page) == [CHEF]


def test_links_of_the_page_lead_somewhere(page: Page) -> None:
    dead = (
        "[...document.querySelectorAll('a')].filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1))))"
    )
    assert page.run(f"{dead}.length") == 0
    page.click("nav li:last-child a")
    assert page.run("location.hash") == "#definition:Oven"


def test_keys_move_from_change_to_change(page: Page) -> None:
    seen = []
    for key in "jjkjjjjjj":
        page.key(key)
        seen += current(page)
    assert seen == [NAME, CHEF, NAME, CHEF, METHOD, FAN, TITLE, TITLE, TITLE]
    assert page.run("location.hash") == anchor(4)
    assert page.run("document.activeElement.id") == anchor(4)[1:]


def test_keys_skip_what_is_filtered_away(page: Page) -> None:
    choose(page, "loses")
    choose(page, "safe")
    seen = []
    for key in "jjjk":
        page.key(key)
        seen += current(page)
    assert seen == [CHEF, FAN, TITLE, FAN]


def test_keys_are_letters_inside_the_search(page: Page) -> None:
    page.key("/")
    assert page.run("document.activeElement.name") == "query"
    for key in "j/k":
        page.key(key)
    assert page.run("document.activeElement.value") == "j/k"
    assert (shown(page), current(page)) == ([], [])
    page.key("Escape")
    assert page.run("document.querySelector('[name=query]').value") == ""
    assert page.run("document.activeElement === document.body")
    assert shown(page) == [NAME, CHEF, METHOD, FAN, TITLE]


def test_focus_can_be_seen_on_everything_that_takes_it(page: Page) -> None:
    ring = "getComputedStyle(document.activeElement.closest('.card, .chip') ?? document.activeElement).outlineStyle"
    seen = []
    for _ in range(8):
        page.key("Tab")
        seen.append((page.run("document.activeElement.name || document.activeElement.tagName"), page.run(ring)))
    assert [name for name, _ in seen] == [*["category"] * 3, "query", *["severity"] * 3, "SUMMARY"]
    assert {outline for _, outline in seen} <= {"solid", "auto"}


# --------------------------------------------------------------------------------------------------- safe and sound


def test_names_are_shown_and_never_acted_on(browser: Browser, addresses: dict[str, str]) -> None:
    with browser.page() as page:
        page.open(addresses["hostile"])
        assert page.run("typeof window.broken") == "undefined"
        assert page.run("document.querySelectorAll('script, style').length") == 2
        assert (
            page.run("document.querySelectorAll('img, [onfocus], [autofocus], b b, .change a[href^=http]').length") == 0
        )
        assert shown(page) == [printable(name) for name in HOSTILE]
        headings = page.run("[...document.querySelectorAll('h2')].map(e => e.textContent)")
        assert headings == [printable(name) for name in HOSTILE]
        sentence = page.run("document.querySelectorAll('.message')[6].textContent")
        assert sentence == f"{HOSTILE[6]} and {HOSTILE[6]}"
        assert (
            page.run("document.querySelector('del').textContent.trim()")
            == f"{json.dumps(HOSTILE[0])}: {json.dumps(HOSTILE[0])}"
        )
        assert page.complaints() == []
        assert page.requests() == [addresses["hostile"]]


def test_the_browser_itself_would_stop_scripts_and_requests(browser: Browser, addresses: dict[str, str]) -> None:
    """Should a name ever get out of its place: the policy of the page lets it do nothing."""
    attempts = {
        "img-src": "const e = new Image(); e.src = 'https://example.invalid/x.png'; document.body.append(e);",
        "script-src-elem": "const e = document.createElement('script'); e.text = 'broken = 1'; document.body.append(e)",
        "script-src-attr": "document.body.setAttribute('onclick', 'window.broken = 1'); document.body.click();",
        "style-src-attr": "document.body.setAttribute('style', 'display: none');",
        "connect-src": "fetch('https://example.invalid/').catch(() => 0);",
    }
    for directive, attempt in attempts.items():
        with browser.page() as page:
            page.open(addresses["small"])
            listen = "document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective));"
            assert page.run(f"new Promise(done => {{ {listen} {attempt} }})") == directive
            assert page.run("typeof window.broken") == "undefined"


def test_thousands_of_changes(browser: Browser, addresses: dict[str, str]) -> None:
    with browser.page() as page:
        page.open(addresses["large"])
        assert status(page) == "3000 of 3000 changes"
        search(page, "part2999")
        assert shown(page) == ["Dish428.part2999"]
        choose(page, "wire")
        assert status(page) == "0 of 3000 changes"
        page.click("#nothing [data-clear]")
        choose(page, "source")
        assert status(page) == "750 of 3000 changes"
        assert page.complaints() == []


# --------------------------------------------------------------------------------- colours, small screens, paper

# Every element with text of its own against the first ground below it, as WCAG reckons.
CONTRASTS = """
(() => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => channels(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    throw new Error("no ground");
  };
  return [...document.body.querySelectorAll("*")]
    .filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .map(e => {
      const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
      return [e.tagName + "." + e.className, (a + 0.05) / (b + 0.05)];
    });
})()
"""


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_can_be_read(browser: Browser, addresses: dict[str, str], dark: bool) -> None:
    with browser.page(dark=dark) as page:
        page.open(addresses["small"])
        ground = page.run("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(16, 20, 25)" if dark else "rgb(246, 247, 249)")
        for state in ("", "wire", "source", "docs", "breaks", "loses", "safe"):
            if state:
                choose(page, state)
            found: list[Any] = page.run(CONTRASTS)
            assert len(found) > 30
            assert [(name, contrast) for name, contrast in found if contrast < 4.5] == []


@pytest.mark.parametrize("name", ["small", "hostile", "empty"])
def test_no_width_scrolls_sideways(browser: Browser, addresses: dict[str, str], name: str) -> None:
    wide = "[...document.querySelectorAll('pre, .what')].filter(e => e.scrollWidth > e.clientWidth).length"
    with browser.page() as page:
        page.open(addresses[name])
        for width in (320, 390, 768, 1000, 1280, 1920):
            page.resize(width, 900)
            assert (width, page.run("document.documentElement.scrollWidth"), page.run(wide)) == (width, width, 0)


def test_on_a_phone_both_sides_stand_below_each_other(browser: Browser, addresses: dict[str, str]) -> None:
    with browser.page(**PHONE) as page:
        page.open(addresses["small"])
        old, new = page.run(
            "['del', 'ins'].map(s => document.querySelector(s).getBoundingClientRect()).map(b => [b.x, b.y])"
        )
        assert old[0] == new[0] and old[1] < new[1]
        assert page.run("document.querySelector('.diff').innerText.match(/\"type\"/g).length") == 1
        assert not page.run("document.getElementById('definitions').open")
        choose(page, "source")
        assert shown(page) == [FAN]
        assert page.complaints() == []


def test_on_paper_there_are_changes_and_no_controls(browser: Browser, addresses: dict[str, str]) -> None:
    """Dark on light, also where the screen has it the other way round."""
    with browser.page(dark=True) as page:
        page.open(addresses["small"])
        choose(page, "wire")
        page.call("Emulation.setEmulatedMedia", media="print")
        assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert [(name, contrast) for name, contrast in page.run(CONTRASTS) if contrast < 4.5] == []
        assert page.run("['.bar', 'nav', '.link'].map(s => document.querySelector(s).checkVisibility())") == [False] * 3
        assert shown(page) == [NAME, CHEF, METHOD]
        assert page.call("Page.printToPDF")["data"].startswith("JVBERi0")  # %PDF-


def test_everything_that_can_be_used_has_a_name(page: Page) -> None:
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    named = [
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in ("checkbox", "searchbox", "button", "navigation", "search")
    ]
    assert ("search", "Filter the changes") in named and ("navigation", "Definitions") in named
    assert ("searchbox", "Search in names, rules and sentences") in named
    assert len([role for role, _ in named if role == "checkbox"]) == 6
    assert [role for role, name in named if not name.strip()] == []
