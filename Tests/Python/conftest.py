"""Tests of the package are run from the sources; where it is installed, that is what is tested."""

import importlib.util
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent

pytest_plugins = ["pytester"]
sys.path.insert(0, str(HERE / "package"))


def pytest_addoption(parser):
    parser.addoption("--times", type=int, default=1, metavar="N", help="run each test so often, from its start each time")


@pytest.fixture(autouse=True)
def repetition(request):
    return getattr(request, "param", 0)


def pytest_generate_tests(metafunc):
    times = metafunc.config.getoption("--times")
    if times > 1:
        metafunc.parametrize("repetition", range(times), indirect=True, ids=[f"times{number}" for number in range(times)])
