"""Batteries, sensors and places of nodes, as the client meets them."""

import pytest
from meshcore import EventType

from clients import acquainted, answer, logs_in, meets, settles
from meshbed import MeshError, has, is_down, is_up
from meshbed.bodies import cell, day, ramp

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)


async def telemetry(alice, server):
    """The first value of each type that a sensor gives."""
    values = {}
    for value in await alice.commands.req_telemetry_sync(server):
        values.setdefault(value["type"], value["value"])
    return values


async def test_a_sensor_measures_what_is_around_it(alice, amesh):
    await amesh["sens1"].has_body(sensors={"BME280": {"temperature": 11.5}, "INA219": {"current": -0.25}})
    sens1 = await meets(alice, amesh, "sens1")
    await logs_in(alice, amesh, sens1, "password")

    evening = await telemetry(alice, sens1)
    await amesh["sens1"].has_body(sensors={"BME280": {"temperature": ramp(11.5, -5.5, "1h")}})
    await amesh.advance(3600)
    night = await telemetry(alice, sens1)

    assert (evening["temperature"], evening["current"]) == (11.5, -0.25)
    assert (night["temperature"], night["current"]) == (-5.5, -0.25)


async def test_a_low_battery_is_an_alert(alice, amesh):
    sens1 = await meets(alice, amesh, "sens1")
    await logs_in(alice, amesh, sens1, "password")

    await amesh["sens1"].has_body(battery=3.55)
    assert await alice.wait_for_event(EventType.MESSAGES_WAITING, timeout=180)

    assert answer(await alice.commands.get_msg(), EventType.CONTACT_MSG_RECV)["text"] == "Battery is low"


async def test_a_repeater_whose_cell_is_empty_is_back_with_its_supply(alice, bob, amesh):
    await amesh["rep1"].has_body(battery=cell(capacity_mah=1, charge=20, load_ma=20, transmit_ma=120))
    await amesh.run_until(is_down("rep1"), within=120)
    assert (await amesh["rep1"].body()).outage == "battery empty"
    assert await alice.commands.send_msg_with_retry(bob, "by night", max_attempts=1) is None

    await amesh["rep1"].has_body(external_power=True)
    await amesh.run_until(is_up("rep1"), within=60)
    await settles(amesh)

    assert await alice.commands.send_msg_with_retry(bob, "in the morning") is not None
    await amesh.run_until(has("bob", "in the morning"), within=60)


async def test_a_radio_with_a_gps_shares_its_place(alice, amesh):
    await amesh["rep1"].has_body(gps={"lat": 47.05, "lon": 8.3, "acquisition": "5s", "advert": "share"})
    # A receiver is looked for when a board starts.
    await amesh["rep1"].restarts()
    await amesh.advance(30)
    assert (await amesh["rep1"].body()).gps == "fix"

    rep1 = await meets(alice, amesh, "rep1")

    assert (round(rep1["adv_lat"], 4), round(rep1["adv_lon"], 4)) == (47.05, 8.3)


async def test_a_value_beyond_the_part_is_refused(amesh):
    with pytest.raises(MeshError, match="120 °C is beyond what a BME280 measures"):
        await amesh["sens1"].has_body(sensors={"BME280": {"temperature": day(-4, 120)}})
