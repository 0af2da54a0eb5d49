"""Tests on a mesh ask for `socket_enabled` before the mesh; all others have no socket."""

import socket

import pytest
import pytest_socket
from integration import Integration


def test_other_tests_have_no_socket():
    with pytest.raises(pytest_socket.SocketBlockedError):
        socket.socket(socket.AF_INET)


async def test_the_entity_has_the_name_of_the_radio(socket_enabled, amesh, radio):
    integration = await Integration.at(radio.host, radio.port)
    assert integration.name == "alice"
    await integration.close()


async def test_cmp_136_a_text_is_announced_and_fetched(socket_enabled, amesh, radio):
    integration = await Integration.at(radio.host, radio.port)
    await amesh["bob"].sends("hello", to="alice")
    assert await integration.next_text() == "hello"
    await integration.close()
