"""The pages of ``docs`` as a site, which ``make_site.py`` writes in four languages with the reference.

A page of another language, ``PAGE.ru.md`` beside ``PAGE.md``, replaces the English page in the site of that
language. The translations of pages with the same sentences are in ``locales``.
"""

import re
from pathlib import Path
from shutil import copytree

from sphinx.util import logging

from noughts.interfaces.presenting import i18n

DOCS = Path(__file__).parent

HAN = "[\u3000-\u9fff\uff00-\uffef]"
"""A Chinese character or mark.

A line break between two of them is no blank.
"""

SPHINX_NAMES = {"zh-Hans": "zh_CN", "zh-Hant": "zh_TW"}
"""The languages that have another name in Sphinx."""

LANGUAGES = {SPHINX_NAMES.get(ours, ours): (ours, name) for ours, name in i18n.LANGUAGES.items()}
"""The languages by their name in Sphinx: the name of their folder, and their own name."""

project = "noughts"
author = "the authors of noughts"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
language = "en"
locale_dirs = ["locales"]
gettext_compact = False
myst_heading_anchors = 4
templates_path = ["_templates"]
html_static_path = ["_static"]
html_theme = "alabaster"
html_theme_options = {  # Lines of code are up to 110 characters long.
    "page_width": "1200px",
    "body_max_width": "none",
    "sidebar_width": "240px",
    "code_font_size": "0.8em",
}
html_sidebars = {"**": ["about.html", "languages.html", "searchbox.html", "navigation.html"]}
html_copy_source = html_show_sourcelink = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
exclude_patterns = ["site", *(f"**.{ours}.md" for ours, _ in LANGUAGES.values())]


def setup(app):
    """Connect the functions that make the site of one language."""
    app.connect("source-read", read_in_language)
    app.connect("html-page-context", offer_languages)
    app.connect("env-check-consistency", check_translations)
    app.connect("build-finished", copy_pictures)


def read_in_language(app, page, source):
    """Use the page in the language of the site, if there is one.

    Links stay in the site.
    """
    ours, _ = LANGUAGES[app.config.language]
    written = written_page(page, ours)
    if written.exists():
        text = written.read_text(encoding="utf-8").replace(f".{ours}.md", ".md")
        source[0] = re.sub(f"(?<={HAN})\n(?={HAN})", "", text)
    else:
        source[0] = re.sub(
            r"\]\(([\w./-]+)\.md#[^)]+\)",
            lambda link: f"]({link[1]}.md)" if written_page(link[1], ours).exists() else link[0],
            source[0],
        )


def written_page(page, ours):
    """Return the file of *page* in a language."""
    return DOCS / f"{page}.{ours}.md"


def offer_languages(app, page, _template, context, _doctree):
    """Give the page its addresses in the other languages."""
    context["languages"] = [
        (ours, name, f"../{ours}/{page}.html", code == app.config.language)
        for code, (ours, name) in LANGUAGES.items()
    ]


def check_translations(_app, env):
    """Warn of a page with partly translated sentences."""
    for page, about in env.metadata.items():
        progress = about.get("translation_progress", {"total": 0, "translated": 0})
        if 0 < progress["translated"] < progress["total"]:
            logging.getLogger(__name__).warning(
                "%d of %d sentences are translated", progress["translated"], progress["total"], location=page
            )


def copy_pictures(app, error):
    """Copy the pictures to the pages, since Sphinx misses those in HTML."""
    if error is None and app.builder.format == "html":
        copytree(DOCS / "pictures", Path(app.outdir) / "pictures", dirs_exist_ok=True)
