"""The studio's page in its states, live and as a file, for the contact sheet."""

import subprocess

from sheet_app import world
from studio import PLAYER, READY, Studio, hostile_trace, recordings

PAGES = {
    "Studio": "empty one many error offline hostile",
    "Studio, a message": "one many hostile",
    "Studio, a node": "many hostile",
    "Studio, steer": "many",
    "Studio, about": "many hostile",
    "Studio, a city": "many",
    "Exported studio": "empty one many hostile",
    "Recording": "many",
}


def begin(sheet, url):
    sheet.browser.show(url)
    sheet.browser.until("the page is ready", READY)


def stop(browser):
    browser.click("#play")
    browser.until("time stands", PLAYER + "return !player.isPlaying")


def choose(browser):
    """The first message that has a packet."""
    browser.click("#messages button:not(:disabled)")
    browser.find("#hops .hop")


def studio_live(sheet, program, folder):
    """A mesh that runs: nobody has written, one has, and many have."""
    browser = sheet.browser
    with Studio(program, "line:4", "--seed", "7", "--traffic", "none") as studio:
        begin(sheet, studio.url)
        stop(browser)
        sheet.add("Studio", "empty", "nobody has written")
        browser.click("#tab-hands")
        browser.click("#send")
        browser.until("the message is there", PLAYER + "return player.store.messages.length === 1")
        browser.click("#tab-messages")
        browser.click("#play")
        browser.until("it is on its way", PLAYER + "return player.store.totals.sent > 3")
        stop(browser)
        browser.run(PLAYER + "player.seek(player.live.now)")
        sheet.add("Studio", "one", "one message")
        choose(browser)
        sheet.add("Studio, a message", "one", "its fate, hop by hop")
    browser.until("the page says that it is alone", lambda: said_gone(browser))
    sheet.add("Studio", "offline", "the program has ended below an open page", allowed=("ERR_CONNECTION_REFUSED",))
    with Studio(program, "town", "--seed", "7", "--traffic", "chat:3s") as studio:
        studio.advance(90)
        begin(sheet, studio.url)
        stop(browser)
        browser.run(PLAYER + "player.seek(player.live.now)")
        browser.find("#messages .standing")
        sheet.add("Studio", "many", "a town that talks")
        choose(browser)
        sheet.add("Studio, a message", "many", "a message and everything else")
        browser.run(PLAYER + "player.chooseNode(1)")
        browser.find("#node-title")
        sheet.add("Studio, a node", "many", "counts, contacts, console")
        browser.click("#tab-hands")
        sheet.add("Studio, steer", "many", "what a user does to the world")
        browser.click("#tab-about")
        sheet.add("Studio, about", "many", "where the run comes from")
        browser.show(studio.url.split("#")[0])
        browser.until("the page says that it may not", "return document.querySelector('#toast').textContent.includes('token')")
        sheet.add("Studio", "error", "an address without its token", allowed=("401",))


def said_gone(browser):
    """Asks the world for something that it cannot do any more, and whether the page says so."""
    browser.run("document.querySelector('#forward').click()")
    return browser.run("return document.querySelector('#toast').textContent.includes('does not answer')")


def studio_city(sheet, program, folder):
    """Three hundred nodes."""
    browser = sheet.browser
    with Studio(program, "city:300", "--seed", "7", "--traffic", "chat:2s") as studio:
        studio.advance(60)
        begin(sheet, studio.url)
        stop(browser)
        browser.run(PLAYER + "player.seek(player.live.now)")
        browser.find("#messages .standing")
        sheet.add("Studio, a city", "many", "traffic in place of rays")
        choose(browser)
        sheet.add("Studio, a city", "many", "one message in it")


def studio_files(sheet, program, folder):
    """Traces and recordings, served and as one file."""
    browser = sheet.browser
    trace = hostile_trace(folder)
    with Studio(program, "--open", str(trace)) as studio:
        begin(sheet, studio.url)
        browser.run(PLAYER + "player.seek(9e6)")
        sheet.add("Studio", "hostile", "names and texts that are markup or backwards")
        browser.run(PLAYER + "player.chooseNode(0)")
        browser.find("#node-title")
        sheet.add("Studio, a node", "hostile", "a name that is markup")
        browser.click("#tab-about")
        sheet.add("Studio, about", "hostile", "a world whose name is markup")
    for state, words, more in (("empty", "line:3", ("--traffic", "none")), ("one", "line:3", ("--traffic", "flood:100s")),
                               ("many", "grid:4x4", ("--traffic", "chat:5s"))):
        page = folder / f"export-{state}.html"
        subprocess.run([program, "studio", words, "--seed", "7", "--for", "60s", *more, "--export", str(page)], check=True)
        begin(sheet, page.as_uri())
        browser.run(PLAYER + "player.seek(player.store.span)")
        sheet.add("Exported studio", state, f"{words} for a minute")
    page = folder / "export-hostile.html"
    subprocess.run([program, "studio", "--open", str(trace), "--export", str(page)], check=True)
    begin(sheet, page.as_uri())
    browser.run(PLAYER + "player.seek(9e6)")
    sheet.add("Exported studio", "hostile", "names and texts that are markup or backwards")
    run = folder / "strangers.ndjson"
    subprocess.run([program, "mesh", "run", world(folder), "--seed", "7", "--for", "60s", "--traffic", "chat:2s", "--trace", str(run)],
                   check=True, stdout=subprocess.DEVNULL)
    page = folder / "strangers.html"
    subprocess.run([program, "studio", "--open", str(run), "--export", str(page)], check=True)
    begin(sheet, page.as_uri())
    browser.run(PLAYER + "player.seek(player.store.span)")
    choose(browser)
    sheet.add("Studio, a message", "hostile", "who heard it has names that are markup")
    for name, path in recordings(program, folder):
        page = folder / f"{name}.html"
        subprocess.run([program, "studio", "--open", str(path), "--export", str(page)], check=True)
        begin(sheet, page.as_uri())
        browser.click("#panel .list button")
        browser.find("#panel pre")
        sheet.add("Recording", "many", f"lanes of a {name}")


TOURS = (studio_live, studio_city, studio_files)
