"""Hooks of MkDocs: the way from a page to the file that it was made from, and what the site does not carry."""

import pathlib
import shutil


def on_page_context(context, page, config, nav):
    source, edit = page.meta.get("source"), config.extra.get("edit")
    page.edit_url = f"{edit}{source}" if source and edit else None
    return context


def on_post_build(config):
    """Removes the theme's files for searching in other languages, which have licences of their own."""
    shutil.rmtree(pathlib.Path(config.site_dir, "assets", "javascripts", "lunr"), ignore_errors=True)
