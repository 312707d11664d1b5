"""The pages of ``docs`` as a site: ``sphinx-build -W docs site`` writes it, the reference from docstrings."""

project = "noughts"
author = "the authors of noughts"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
html_theme = "alabaster"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
exclude_patterns = ["site"]
