"""The code in the article is code that runs."""

import pathlib
import re
import shutil

import pytest

HERE = pathlib.Path(__file__).parent
ARTICLE = HERE.parents[2] / "Sources/MeshTestbed/MeshTestbed.docc/TestingFromPython.md"
PACKAGE = HERE.parents[2] / "Sources/Python/README.md"


def blocks(language, path=ARTICLE):
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(), re.M | re.S)


def test_the_first_test_of_the_article_passes(pytester):
    """The package's page has one as well."""
    package, = (block for block in blocks("python", PACKAGE) if "async def test_" in block)
    pytester.makepyfile(test_first=blocks("python")[0], test_package=package)

    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_the_other_tests_of_the_article_pass(pytester):
    for name in ("conftest.py", "clients.py", "hills.json"):
        shutil.copy(HERE / name, pytester.path)
    prepared, = (block for block in blocks("python") if "pytestmark" in block)
    test, = (block for block in blocks("python") if "test_a_lost_text_is_tried_again" in block)
    # The suite's preparation has both know each other; the article's shows what one is.
    text = prepared.replace("prepare=acquainted", "prepare=clients.acquainted") + test
    pytester.makepyfile(test_others="import clients\nfrom meshbed import has_met\n" + text)

    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


@pytest.mark.parametrize("path", [ARTICLE, PACKAGE], ids=["article", "package"])
def test_the_program_without_pytest_runs(path):
    program, = (block for block in blocks("python", path) if "with Mesh.start" in block)
    exec(compile(program, path.name, "exec"), {})


def test_the_race_in_the_article_is_one_of_the_suite():
    race, = (block for block in blocks("python") if "cut_after" in block)
    text = (HERE / "test_order.py").read_text()
    assert all(line in text for line in race.splitlines())


@pytest.mark.parametrize("mode", ["auto", "strict"])
def test_the_first_test_of_the_article_passes_beside_pytest_asyncio(pytester, mode):
    pytester.makepyfile(test_first=blocks("python")[0])

    pytester.runpytest_subprocess("-p", "no:cacheprovider", f"--asyncio-mode={mode}").assert_outcomes(passed=1)


def test_the_count_of_tests_in_the_article_is_right(request):
    counted = {int(number) for number in re.findall(r"(\d+) tests, most of them for the client", ARTICLE.read_text().replace("\n", " "))}
    suites = [item for item in request.session.items if item.path.parent == HERE and item.path.name != "test_article.py"]
    if len({item.path for item in suites}) < len(list(HERE.glob("test_*.py"))) - 1:
        pytest.skip("not all of the suite was chosen")
    assert counted == {len(suites)}


def test_the_excerpt_for_javascript_is_from_its_file():
    text = (HERE.parents[1] / "JavaScript/mesh.test.mjs").read_text()
    for line in "\n".join(blocks("js")).splitlines():
        assert line in text, line
