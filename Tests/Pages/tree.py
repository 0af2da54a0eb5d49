"""The accessibility tree of a page, as a screen reader reads it, and what it announces by itself."""

# What a user operates, by its role in the tree.
CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider", "spinbutton", "switch", "tab",
            "listbox", "menuitem", "DisclosureTriangle"}
LANDMARKS = {"banner", "navigation", "main", "complementary", "contentinfo", "region", "form"}

# Elements that a user operates, and that are there to be read.
OPERATED = """
return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [tabindex="0"]')]
  .filter(part => part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !part.closest('[aria-hidden=true], [inert]')).length;
"""

# Notes what a screen reader says unasked: text that comes into a live region which was there before, and alerts.
EARS = """
window.announced = [];
const region = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest('[role=status], [role=alert], [role=log], [aria-live]');
const isKnown = new WeakSet(document.querySelectorAll('[role=status], [role=log], [aria-live]'));
const hear = (node) => {
  const place = region(node);
  if (!place || !place.checkVisibility() || (place.getAttribute('role') !== 'alert' && !isKnown.has(place))) return;
  const words = place.textContent.trim();
  if (words) window.announced.push(words);
};
new MutationObserver((records) => {
  for (const record of records) {
    const added = record.type === 'childList' ? [...record.addedNodes] : [record.target];
    for (const node of added) {
      hear(node);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      for (const alert of node.querySelectorAll('[role=alert]')) hear(alert);
      // From now on it is there.
      for (const place of [node, ...node.querySelectorAll('*')]) if (place.matches('[role=status], [role=log], [aria-live]')) isKnown.add(place);
    }
  }
}).observe(document.body, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ['hidden'] });
"""


def listen(browser):
    """From here on what the page announces is noted."""
    browser.run(EARS)


def announces(browser, words):
    """Waits until the page has announced words."""
    browser.until(f"{words!r} announced", lambda: any(words in said for said in browser.run("return window.announced")))


def nodes(browser):
    """What is in the tree: role, name, and properties of each node that is not ignored."""
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})
    for node in browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]:
        if not node.get("ignored"):
            yield (node["role"]["value"], node.get("name", {}).get("value", "").strip(),
                   {one["name"]: one["value"].get("value") for one in node.get("properties", [])})


def faults(browser, page):
    """What a reader of the tree would miss: names of controls, one first heading and none skipped, landmarks that can be told apart."""
    tree, found = list(nodes(browser)), []
    controls = [(role, name) for role, name, _ in tree if role in CONTROLS]
    found += [f"a {role} has no name" for role, name in controls if not name]
    focusable = [(role, name) for role, name, more in tree if more.get("focusable") and role not in CONTROLS | LANDMARKS | {
        "RootWebArea", "heading", "log", "img", "image", "canvas", "tabpanel", "dialog", "application", "option", "Iframe", "MenuListOption", "generic", "group"}]
    found += [f"what takes the focus is a {role} named {name!r}" for role, name in focusable]
    operated = browser.run(OPERATED)
    if len(controls) < 1 or operated < 1:
        found.append("nothing can be operated")
    heads = [name for role, name, more in tree if role == "heading" and more.get("level") == 1]
    if len(heads) != 1 or not heads[0]:
        found.append(f"the first headings are {heads}")
    found += browser.headings()
    if sum(role == "main" for role, *_ in tree) != 1:
        found.append("there is not one main part")
    for role in LANDMARKS - {"main"}:
        # A form or a part without a name is no landmark.
        names = [name for one, name, _ in tree if one == role and (name or role not in ("form", "region"))]
        if len(names) != len(set(names)):
            found.append(f"two {role} landmarks have one name: {sorted(names)}")
    return [f"the tree of {page}: {problem}" for problem in found]
