"""Verdicts as build servers read them."""

import xml.etree.ElementTree as xml


class JUnit:
    """The content of the report, once more for build servers."""

    def __init__(self, name):
        self.name, self.suite = name, xml.Element("testsuite", name=name)

    def add(self, title, seconds, problem):
        case = xml.SubElement(self.suite, "testcase", classname=self.name, name=title, time=f"{seconds:.2f}")
        if problem is not None:
            xml.SubElement(case, "failure", message=problem)
        count = [len(self.suite), len(self.suite.findall("testcase/failure"))]
        self.suite.set("tests", str(count[0]))
        self.suite.set("failures", str(count[1]))

    def write(self, path):
        xml.ElementTree(self.suite).write(path, encoding="utf-8", xml_declaration=True)
