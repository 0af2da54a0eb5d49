"""Tests of the package are run from the sources; where it is installed, that is what is tested."""

import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

pytest_plugins = ["pytester"]
sys.path.insert(0, str(HERE / "package"))
