// Code and tables that scroll sideways can be reached from the keyboard.
for (const element of document.querySelectorAll(".md-typeset pre, .md-typeset__scrollwrap, .md-typeset table:not([class])")) {
  element.tabIndex = 0;
}
