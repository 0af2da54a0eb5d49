"""The package against the document of the API: each operation has a request, with the members that it has there."""

import inspect
import json
import pathlib
import re
import shutil
import subprocess
import sys
import typing
import zipfile

import pytest

from meshbed import answers, bluetooth_faults, bodies, conditions, link_faults, requests
from meshbed.aio import AsyncMesh, AsyncMessage, AsyncNode
from meshbed.requests import Request
from meshbed.sync import Mesh, Message, Node

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCUMENT = json.loads((ROOT / "Sources/MeshControl/openapi.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]

SAMPLES = {
    str: "a", int: 1, float: 1.5, bool: True, bytes: b"\x01", dict: {"kind": "loss"}, list: [{"to": "b"}],
}


OPERATIONS = [
    (operation["operationId"], method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items() for method, operation in methods.items()]


def resolved(part):
    """A part of the document, or the component that it names."""
    if "$ref" not in part:
        return part
    _, components, kind, name = part["$ref"].split("/")
    return DOCUMENT[components][kind][name]


def snake(name):
    return re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)


def sample(parameter, hints):
    kind = hints.get(parameter.name, float)
    kinds = [one for one in typing.get_args(kind) if one is not type(None)] or [kind]
    return SAMPLES[typing.get_origin(kinds[0]) or kinds[0]]


def call(function):
    """A request with every member."""
    hints = typing.get_type_hints(function)
    named = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            named |= {snake(name): 1 for name in SCHEMAS["LinkFaults"]["properties"] if name not in ("way", "plan")}
        else:
            named[parameter.name] = sample(parameter, hints)
    return function(**named)


@pytest.mark.parametrize("name, method, path, operation", OPERATIONS, ids=[one[0] for one in OPERATIONS])
def test_each_operation_has_a_request(name, method, path, operation):
    if name == "followEvents":
        pytest.skip("a stream, which the transports ask for")
    request = call(getattr(requests, snake(name)))
    assert isinstance(request, Request)

    assert request.method == method
    pattern = re.sub(r"\{\w+\}", "[^/?]+", path)
    assert re.fullmatch(pattern + r"(\?.*)?", request.path)
    asked = {one["name"] for one in map(resolved, operation.get("parameters", [])) if one["in"] == "query"}
    assert set(re.findall(r"[?&](\w+)=", request.path)) == asked
    if "requestBody" not in operation:
        assert request.body is None
        return
    schema = resolved(resolved(operation["requestBody"])["content"]["application/json"]["schema"])
    if schema.get("additionalProperties") is False:
        assert set(request.body) == set(schema["properties"])


@pytest.mark.parametrize("of, name", [
    (answers.State, "State"), (answers.World, "World"), (answers.NodeState, "Node"), (answers.Link, "Link"),
    (answers.Contact, "Contact"), (answers.Received, "Received"), (answers.MessageState, "Message"),
    (answers.RunUntilAnswer, "RunUntilAnswer"), (answers.Drop, "Drop"), (answers.Frame, "AirFrame"),
    (answers.FaultEffect, "FaultEffect"), (answers.NodeBody, "NodeBody"), (answers.BodyReading, "BodyReading"),
    (answers.NodeDisplay, "Display"),
])
def test_answers_have_the_members_of_the_document(of, name):
    members = {key: is_needed for _, key, _, is_needed in answers._members(of)}
    schema = SCHEMAS[name]

    assert set(members) == set(schema["properties"])
    assert {key for key, is_needed in members.items() if is_needed} == set(schema["required"])


def test_courses_are_those_of_world_files():
    assert bodies.ramp(4, 3.5, "2h", at="1h") == {"from": 4, "to": 3.5, "for": "2h", "at": "1h"}
    assert bodies.points(("0s", 1), ("1h", 2)) == {"points": [{"at": "0s", "value": 1}, {"at": "1h", "value": 2}]}
    assert bodies.steps(("0s", -1), noise=0.5) == {"steps": [{"at": "0s", "value": -1}], "noise": 0.5}
    assert bodies.day(-4, 11, 15) == {"min": -4, "max": 11, "max_at_hour": 15}
    assert bodies.by_hour(range(24))["by_hour"][23] == 23
    assert bodies.noisy(3.9, 0.01, "5s") == {"value": 3.9, "noise": 0.01, "noise_every": "5s"}
    assert bodies.cell(capacity_mah=2000, charge=0) == {"capacity_mah": 2000, "charge": 0}


def test_each_condition_has_a_function():
    made = [
        conditions.delivered(1, "a"), conditions.acknowledged(1), conditions.has("a", "x", 2), conditions.has_met("a", "b"),
        conditions.knows_way("a", "b", 2), conditions.is_in("a", "b"), conditions.has_transmitted("a", 3),
        conditions.packet("ack", sender="a", heard_by="b"), conditions.is_quiet("a"), conditions.is_up("a"),
        conditions.is_down("a"),
    ]
    made.append(conditions.all_of(*made))

    schema = SCHEMAS["Condition"]["properties"]
    assert {word for one in made for word in one} == set(schema)
    for one in made[:-1]:
        (word, members), = one.items()
        assert set(members) == set(schema[word]["properties"])
    assert conditions.said(conditions.all_of(conditions.is_quiet(), conditions.delivered(3))) == (
        "isQuiet() and delivered(message=3)")
    assert conditions.messages_in(made[-1]) == [1]


# A planned fault of each kind, with every member that it can have.
PLANNED = [
    link_faults.late(1), link_faults.split(3, 0.5), link_faults.merge(), link_faults.double_bytes(2, 1),
    link_faults.cut_bytes(3), link_faults.cut_front(1), link_faults.lose_bytes(2, 1), link_faults.garble(4, 7),
    link_faults.insert_bytes(b"\x01"), link_faults.rubbish(9), link_faults.older_session("CONTACT"), link_faults.lose(),
    link_faults.swap(), link_faults.double(), link_faults.push("MSG_WAITING"), link_faults.push(b"\x83"),
    link_faults.other_answer("OK"), link_faults.other_answer(b"\x00"), link_faults.wrong_length(-1),
    link_faults.error_answer("TABLE_FULL"), link_faults.more_contacts(2), link_faults.fewer_contacts(2),
    link_faults.endless_listing(), link_faults.same_message(), link_faults.unknown_code(0xBF), link_faults.longest_frame(),
    link_faults.overlong_frame(200), link_faults.empty_frame(), link_faults.stall(2), link_faults.end_before(),
    link_faults.end_within(3), link_faults.end_after(), link_faults.refuse_connection(), link_faults.reboot(),
    link_faults.board_off(5), link_faults.brown_out(5, 10),
]


def test_each_kind_of_a_planned_fault_has_a_function():
    fault, occasion = SCHEMAS["FrameLinkFault"]["properties"], SCHEMAS["LinkOccasion"]["properties"]
    common = {"fault", "way", "at", "times", "mayNotFire"}

    assert list(dict.fromkeys(one.kind for one in PLANNED)) == fault["fault"]["enum"]
    assert {member for one in PLANNED for member in one.members} == set(fault) - common

    whole = link_faults.lose().at(link_faults.frame("CONTACT", 3)).way("to-app").times(2).may_not_fire()
    (written,) = link_faults.plan_of([whole])["faults"]
    assert set(written) == common
    occasions = [
        link_faults.frame("OK", 1), link_faults.answer_to("SET_CHANNEL"), link_faults.after(1), link_faults.connection(),
        link_faults.phase("contacts")]
    assert {member for one in occasions for member in one} == set(occasion)
    assert typing.get_args(link_faults.Phase) == tuple(occasion["phase"]["enum"])
    assert link_faults.next_frame() in fault["at"]["anyOf"][0]["enum"]


# A fault of Bluetooth of each kind, with every member that it can have.
BELOW = [
    bluetooth_faults.mtu(64), bluetooth_faults.mtu_lie(517, 64), bluetooth_faults.att_error(14),
    bluetooth_faults.no_answer(), bluetooth_faults.late_answer(2), bluetooth_faults.cut_answer(1),
    bluetooth_faults.early_notification(b"\x83", 2), bluetooth_faults.indication(),
    bluetooth_faults.bunched_notifications(4, 1), bluetooth_faults.slow_notifications(0.5),
    bluetooth_faults.service_changed(), bluetooth_faults.services_moved(64), bluetooth_faults.bond_lost(),
    bluetooth_faults.key_refused(), bluetooth_faults.wrong_key(), bluetooth_faults.pin_changed("654321"),
    bluetooth_faults.pairing_refused(5), bluetooth_faults.security_request(), bluetooth_faults.link_lost(6),
    bluetooth_faults.disconnect(19), bluetooth_faults.connection_parameters(1, 0, 6),
    bluetooth_faults.second_central(5), bluetooth_faults.address_rotates(),
    bluetooth_faults.service_not_advertised(15), bluetooth_faults.name_cut(8, 9),
] + [bluetooth_faults.design(one) for one in typing.get_args(bluetooth_faults.Design)]


def test_each_kind_of_a_fault_of_bluetooth_has_a_function():
    fault, occasion = SCHEMAS["BluetoothLinkFault"]["properties"], SCHEMAS["BluetoothOccasion"]["properties"]
    common = {"fault", "at", "times", "mayNotFire"}

    assert [one.kind for one in BELOW] == fault["fault"]["enum"]
    assert {member for one in BELOW for member in one.members} == set(fault) - common

    whole = bluetooth_faults.indication().at(bluetooth_faults.operation("notification", 2)).times(2).may_not_fire()
    (written,) = link_faults.plan_of([whole])["faults"]
    assert set(written) == common and set(written["at"]) == set(occasion)
    operations = list(typing.get_args(bluetooth_faults.Operation))
    assert occasion["operation"]["enum"] == operations and fault["at"]["anyOf"][0]["enum"] == operations


def test_no_kind_is_in_both_halves_of_a_plan():
    halves = [resolved(one) for one in SCHEMAS["PlannedLinkFault"]["oneOf"]]

    kinds = [set(half["properties"]["fault"]["enum"]) for half in halves]
    assert [len(one) for one in kinds] == [34, 40]
    assert not kinds[0] & kinds[1]


@pytest.mark.parametrize("sync, other", [(Mesh, AsyncMesh), (Node, AsyncNode), (Message, AsyncMessage)])
def test_both_faces_have_the_same_methods(sync, other):
    def public(of):
        return {name: str(inspect.signature(member)).replace("Async", "") for name, member in vars(of).items()
                if not name.startswith("_") and callable(member)}

    assert public(sync) == public(other)


def test_the_face_without_await_is_written_from_the_other():
    subprocess.run([sys.executable, ROOT / "Sources/Python/write_sync.py", "--check"], check=True)


def test_types_hold():
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-incremental", "meshbed"]
    done = subprocess.run(command, cwd=ROOT / "Sources/Python", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_wheel_has_all_of_the_package(tmp_path):
    """A wheel holds everything that is installed without this repository."""
    # Elsewhere, because others may use the sources meanwhile.
    shutil.copytree(ROOT / "Sources/Python", tmp_path / "package", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    before = sorted((tmp_path / "package").rglob("*"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
               "--disable-pip-version-check", "--wheel-dir", tmp_path, tmp_path / "package"]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert sorted((tmp_path / "package").rglob("*")) == before, "it leaves something beside the sources"
    wheel, = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        points = file.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    sources = {str(path.relative_to(ROOT / "Sources/Python")) for path in (ROOT / "Sources/Python/meshbed").rglob("*.py")}
    assert sources | {"meshbed/py.typed"} <= names
    assert re.search(r"^meshbed *= *meshbed.pytest_plugin$", points, re.M)
    assert re.search(r"^meshbed *= *meshbed.__main__:main$", points, re.M)


def test_both_distributions_have_one_version_and_the_licence_of_the_project():
    with_plugin = (ROOT / "Sources/Python/pytest-meshbed/pyproject.toml").read_text()
    version = re.search(r'^version = "(.+)"$', (ROOT / "Sources/Python/pyproject.toml").read_text(), re.M)[1]
    assert f'version = "{version}"' in with_plugin and f'"meshbed=={version}"' in with_plugin
    for folder in "Sources/Python", "Sources/Python/pytest-meshbed":
        assert (ROOT / folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
