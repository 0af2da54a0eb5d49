"""The fixtures of the suite: the client at alice's radio, and the mesh in which alice and bob know each other."""

import pathlib
import sys

import pytest
from meshcore import EventType

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from clients import answer, connected  # noqa: E402


@pytest.fixture
async def alice(amesh, radio, mesh_calendar):
    """The client under test, connected to alice's radio; its timestamps are the world's."""
    client = await connected(radio)
    yield client
    await client.disconnect()


@pytest.fixture
def heard(alice):
    """All that the client has told its users, in order."""
    events = []
    alice.subscribe(None, events.append)
    return events


@pytest.fixture
async def bob(alice, amesh):
    """Bob as a contact of the client. What he does, `amesh["bob"]` does."""
    contacts = answer(await alice.commands.get_contacts(), EventType.CONTACTS)
    key = (await amesh["bob"].state()).public_key
    return contacts[key]
