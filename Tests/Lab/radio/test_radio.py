"""One file for an emulated radio, a radio on a line of another machine, and a place of labgrid: it knows none of them."""

import asyncio

import pytest
from meshcore import EventType, MeshCore

NAME = "Under test"


async def connected(radio):
    client = await MeshCore.create_tcp(radio.host, radio.port)
    assert client is not None, "the radio does not answer"
    return client


async def test_a_name_is_kept(radio):
    client = await connected(radio)
    result = await client.commands.set_name(NAME)
    assert result.type != EventType.ERROR, result.payload
    await client.disconnect()

    again = await connected(radio)
    assert again.self_info["name"] == NAME
    await again.disconnect()


@pytest.mark.parametrize("number", range(2))
async def test_each_test_finds_the_radio_as_it_was(radio, number):
    client = await connected(radio)
    assert client.self_info["name"] != NAME
    await client.commands.set_name(NAME)
    await client.disconnect()


async def test_the_radio_has_a_battery_and_a_clock(radio):
    client = await connected(radio)
    assert (await client.commands.get_bat()).type == EventType.BATTERY
    assert (await client.commands.get_time()).payload["time"] > 1_600_000_000
    await client.disconnect()


@pytest.mark.mesh_needs("power")
async def test_a_name_survives_a_loss_of_power(radio, board):
    client = await connected(radio)
    await client.commands.set_name(NAME)
    await client.disconnect()
    board.cycle()
    await asyncio.sleep(5)

    again = await connected(radio)
    assert again.self_info["name"] == NAME
    await again.disconnect()


@pytest.mark.mesh_needs("second radio")
@pytest.mark.mesh(endpoints=["alice", "bob"])
async def test_two_radios_are_two(radios):
    clients = [await connected(radios[name]) for name in ("alice", "bob")]
    assert clients[0].self_info["public_key"] != clients[1].self_info["public_key"]
    for client in clients:
        await client.disconnect()


@pytest.mark.mesh_needs("time")
def test_hours_pass_in_no_time(mesh):
    mesh.advance(3600)
    assert mesh.state().now >= 3600


@pytest.mark.mesh_needs("board")
async def test_a_real_radio_says_its_board(radio):
    client = await connected(radio)
    info = await client.commands.send_device_query()
    assert info.payload["model"]
    await client.disconnect()
