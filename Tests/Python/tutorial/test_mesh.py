"""The words of the mesh without await, and without a client: people, boards, air, snapshots, traces."""

import json
import socket

import pytest

from meshbed import (
    ConditionNotMet, MeshError, acknowledged, all_of, delivered, has_met, has_transmitted, is_quiet, is_up, knows_way, packet)

# A console that nobody uses: whoever has an endpoint is left to its client.
pytestmark = pytest.mark.mesh(world="hills.json", endpoints=["rep2"])


def acquainted(mesh):
    """Alice and bob have met."""
    for name, other in (("alice", "bob"), ("bob", "alice")):
        mesh[name].adverts()
        mesh.run_until(has_met(other, name))
        mesh.run_until(is_quiet())


meeting = pytest.mark.mesh(prepare=acquainted)


def test_a_mesh_tells_what_it_is(mesh):
    world = mesh.world()

    assert (world.nodes, world.links) == (6, 8)
    assert [(node.name, node.role, node.is_up) for node in mesh.nodes()][:3] == [
        ("alice", "companion", True), ("bob", "companion", True), ("rep1", "repeater", True)]
    assert {(link.sender, link.to) for link in mesh.links()} >= {("alice", "rep1"), ("rep1", "alice")}
    assert world.provenance["world"].endswith("hills.json") and world.state.time == "stepped"


@meeting
def test_people_talk(mesh):
    message = mesh["alice"].sends("hello", to="bob")
    state = mesh.run_until(all_of(delivered(message, to="bob"), acknowledged(message)), within=30)

    facts = message.state()
    assert (facts.sender, facts.to, facts.text, facts.standing) == ("alice", "bob", "hello", "acknowledged")
    assert message.is_acknowledged() and message.delivered_to() == ["bob"]
    assert facts.at < facts.acknowledged_at <= state.now
    received, = mesh["bob"].inbox()
    assert (received.kind, received.sender, received.text) == ("direct", "alice", "hello")
    assert message.number in [one.number for one in mesh.messages()]
    assert message.fate()


@meeting
def test_a_way_is_learned_and_packets_can_be_waited_for(mesh):
    mesh["alice"].sends("hello", to="bob")
    mesh.run_until(packet(sender="alice", heard_by="rep1"), within=30)
    mesh.run_until(knows_way("alice", "bob", hops=1), within=30)

    contact, = mesh["alice"].contacts()
    assert (contact.node, contact.hops, len(contact.path)) == ("bob", 1, 2)
    frames = mesh["alice"].state().frames_sent
    mesh["alice"].adverts()
    mesh.run_until(has_transmitted("alice", frames + 1), within=30)


def test_what_does_not_come_true_is_an_error_with_the_standing(mesh):
    with pytest.raises(ConditionNotMet) as caught:
        mesh.run_until(has_met("alice", "bob"), within=10)

    assert caught.value.state.now == mesh.state().now == 10
    assert not mesh.runs_until(has_met("alice", "bob"), within=0).is_met


@meeting
def test_snapshots_are_kept_listed_restored_and_forgotten(mesh):
    before = mesh.snapshot("before")
    mesh["bob"].says("hello all")
    after = mesh.advance(60)

    assert mesh.restore("before") == before
    mesh["bob"].says("hello all")
    assert mesh.advance(60).digest == after.digest
    kept = {one.name: one for one in mesh.snapshots()}
    assert (kept["before"].now, kept["before"].digest) == (before.now, before.digest)
    mesh.forget("before")
    with pytest.raises(MeshError, match="not-found"):
        mesh.restore("before")


def test_a_board_loses_its_power_and_gets_it_back(mesh):
    mesh["bob"].has_no_power()
    assert not mesh["bob"].state().is_up
    assert not mesh.runs_until(is_up("bob"), within=10).is_met

    mesh["bob"].power(True)
    mesh.run_until(is_up("bob"), within=10)
    mesh["bob"].sets_clock(1_800_000_000)
    assert mesh["bob"].clock() >= 1_800_000_000


@meeting
def test_a_fault_lasts_until_it_is_ended(mesh):
    with mesh.loses(sender="alice"):
        message = mesh["alice"].sends("lost", to="bob")
        assert not mesh.runs_until(delivered(message), within=30).is_met

    message = mesh["alice"].sends("heard", to="bob")
    mesh.run_until(delivered(message), within=30)


def test_packets_from_outside_are_heard(mesh):
    listener = mesh.add("carol", "companion")
    with pytest.raises(MeshError, match="conflict|bad-request|not-found"):
        listener.hears(b"")

    receptions = mesh.state().receptions
    # Nobody's packet, at bob's antenna: his neighbours hear it.
    mesh.connect("bob", "carol", snr=5)
    mesh["bob"].transmits(bytes.fromhex("1500aabbccdd"))
    assert mesh.advance(5).receptions > receptions


def test_events_are_told_as_they_happen(mesh):
    events = mesh.events()
    mesh["bob"].adverts()
    mesh.run_until(has_met("alice", "bob"))

    kinds = set()
    while "txBegin" not in kinds:
        kinds.add(next(events)["e"])
    events.close()


@meeting
def test_the_trace_is_a_file_for_mesh_why(mesh):
    mesh["alice"].sends("follow me", to="bob")
    mesh.advance(30)

    head, *lines = [json.loads(line) for line in mesh.trace().splitlines()]
    assert head["format"] == "meshbed trace 1"
    assert "follow me" in [line.get("text") for line in lines]


def test_refusals_have_a_code(mesh):
    for code, attempt in (
        ("not-found", lambda: mesh["nobody"].state()),
        ("bad-request", lambda: mesh["alice"].sends("hi", to="nobody")),
        ("bad-request", lambda: mesh["alice"].sends("x" * 161, to="bob")),
        ("bad-request", lambda: mesh.fault({"kind": "earthquake"})),
        ("conflict", lambda: mesh.pause()),
        ("conflict", lambda: mesh.speed(2)),
        ("conflict", lambda: mesh["alice"].console("ver")),
        ("conflict", lambda: mesh["alice"].hangs_up()),
        ("conflict", lambda: mesh["rep2"].console("ver")),
        ("bad-request", lambda: mesh["alice"].walks("alice")),
    ):
        with pytest.raises(MeshError) as caught:
            attempt()
        assert caught.value.code == code, caught.value


@pytest.mark.mesh(endpoints=["alice"])
def test_a_recording_of_a_session(mesh, radio):
    mesh["alice"].starts_recording()
    with socket.create_connection(tuple(radio)) as client:
        # CMD_GET_BATT_AND_STORAGE
        client.sendall(b"<\x01\x00\x14")
        assert client.recv(3)[0:1] == b">"
        mesh.advance(1)
        text = mesh["alice"].ends_recording()

    assert text.startswith("meshbed capture 1")
    assert " tcp > 14" in text
