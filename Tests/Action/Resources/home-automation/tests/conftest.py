"""Blocks sockets before each test, as Home Assistant's plugin for tests of integrations does it."""

import pytest_socket


def pytest_runtest_setup():
    pytest_socket.socket_allow_hosts(["127.0.0.1"])
    pytest_socket.disable_socket(allow_unix_socket=True)
