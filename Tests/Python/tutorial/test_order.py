"""Whatever a test does has one order: what its clients do, what it asks of the mesh, and what passes in the world meanwhile.

Each of these is a race that a machine could decide. `flakes.py --tests test_order.py` runs them as often as one likes, under
load, and compares the digests; a few runs of each are part of every run of the suite.
"""

import asyncio

import pytest
from meshcore import EventType

from clients import acquainted, answer, connected

pytestmark = [pytest.mark.mesh(world="desk", prepare=acquainted), pytest.mark.parametrize("run", range(4))]


async def has_twenty_contacts(mesh):
    """Alice's radio has contacts enough for a list of more frames than the faults let pass."""
    client = await connected(mesh["alice"].radio)
    for number in range(1, 21):
        contact = {"public_key": f"{number:02x}" * 32, "type": 1, "flags": 0, "out_path": "", "out_path_len": -1,
                   "out_path_hash_mode": -1, "adv_name": f"contact {number}", "last_advert": 0, "adv_lat": 0, "adv_lon": 0}
        answer(await client.commands.add_contact(contact), EventType.OK)
    await client.disconnect()


@pytest.mark.mesh(prepare=has_twenty_contacts)
async def test_what_a_client_has_begun_comes_before_a_fault_of_its_link(alice, amesh, run):
    listing = asyncio.create_task(alice.commands.get_contacts())
    await amesh["alice"].link_faults(cut_after=12, may_not_fire=True)

    assert len(answer(await listing, EventType.CONTACTS)) == 20
    assert (await amesh["alice"].state()).has_client


@pytest.mark.mesh(prepare=has_twenty_contacts)
async def test_a_fault_that_was_asked_for_comes_before_what_a_client_does_next(alice, amesh, run):
    await amesh["alice"].link_faults(cut_after=12)

    assert (await alice.commands.get_contacts(timeout=5)).is_error()
    assert not (await amesh["alice"].state()).has_client


async def test_a_client_that_has_gone_is_gone_before_time_passes(alice, amesh, radio, run):
    await alice.disconnect()
    assert not (await amesh["alice"].state()).has_client

    await amesh["bob"].sends("nobody is here", to="alice")
    await amesh.advance(3600)
    other = await connected(radio)
    text = answer(await other.commands.get_msg(), EventType.CONTACT_MSG_RECV)
    await other.disconnect()

    assert text["text"] == "nobody is here"


async def test_several_tasks_ask_in_the_order_of_their_making(alice, amesh, run):
    texts = [f"text {number}" for number in range(10)]
    await asyncio.gather(*(amesh["bob"].says(text) for text in texts))

    assert [message.text for message in await amesh.messages() if message.to == "#public"] == texts


async def test_what_a_client_writes_while_others_ask_is_in_the_world_first(alice, amesh, run):
    async def names_itself(name):
        answer(await alice.commands.set_name(name), EventType.OK)

    for number in range(10):
        naming = asyncio.create_task(names_itself(f"alice {number}"))
        state, _ = await asyncio.gather(amesh["alice"].state(), naming)
        assert state.advert_name == f"alice {number}"
