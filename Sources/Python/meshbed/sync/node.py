# Written by write_sync.py from aio/node.py: change that file.
"""A node of the mesh: actions of its user, faults of its board, and frames at its endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from .. import requests
from ..answers import Contact, NodeBody, NodeDisplay, NodeState, Received, State
from ..bodies import Value
from ..command import Radio
from ..conditions import ANode, given, name_of
from ..errors import MeshError
from ..link_faults import LinkFault, plan_of
from .message import Message

if TYPE_CHECKING:
    from .mesh import Mesh

# The ways of a link between a radio and its app.
TO_APP, TO_RADIO = "toApp", "toRadio"


class Node:
    """A node by its name. Nothing is asked until a method is called."""

    def __init__(self, mesh: Mesh, name: str) -> None:
        self.mesh, self.name = mesh, name

    def __repr__(self) -> str:
        return f"<node {self.name}>"

    @property
    def radio(self) -> Radio:
        """The address of its client."""
        try:
            return self.mesh.radios[self.name]
        except KeyError:
            raise MeshError("not-found", f"{self.name} has no TCP endpoint") from None

    # How it stands

    def state(self) -> NodeState:
        return self.mesh.ask(requests.get_node(self.name))

    def contacts(self) -> list[Contact]:
        """The contacts of a companion radio, with the ways that it knows."""
        return self.mesh.ask(requests.list_contacts(self.name))

    def inbox(self) -> list[Received]:
        """The texts that its app has received, oldest first; only of nodes without an endpoint."""
        return self.mesh.ask(requests.get_inbox(self.name))

    def clock(self) -> int | None:
        """Its calendar clock, in seconds since 1970."""
        return self.state().unix_seconds

    def body(self) -> NodeBody:
        """What feeds it, and what it measures now."""
        return self.mesh.ask(requests.get_body(self.name))

    def display(self) -> NodeDisplay:
        """The text on its display."""
        return self.mesh.ask(requests.get_display(self.name))

    # What its user does

    def presses(self, long: bool = False) -> NodeDisplay:
        """Presses the button of its board, for a second or more if `long`; returns what it shows then."""
        return self.mesh.ask(requests.press_button(self.name, "long" if long else "click"))

    def sends(self, text: str, to: ANode) -> Message:
        """Has its app send a text to a contact; only of companion radios without an endpoint."""
        return self._writes(requests.send(self.name, text, name_of(to)))

    def says(self, text: str, channel: int | None = None) -> Message:
        """Has its app send a text on a channel, by its place in the radio; 0 is the public one, and meant by default.

        The radio puts its name before the text. A channel that it does not have is refused.
        """
        return self._writes(requests.say(self.name, text, channel))

    def adverts(self, flood: bool = True) -> Message:
        """Sends an advert, which repeaters forward if it floods; a server does so by `console("advert")`."""
        return self._writes(requests.advert(self.name, flood))

    def enters(self, room: ANode, password: str | None = None) -> State:
        """Has its app log in at a room."""
        return self.mesh.ask(requests.enter_room(self.name, name_of(room), password))

    def posts(self, text: str, room: ANode) -> Message:
        """Has its app post in a room that has accepted its login."""
        return self._writes(requests.post_in_room(self.name, text, name_of(room)))

    def console(self, line: str) -> str:
        """Types a line at the console of a repeater, room or sensor; returns the answer."""
        return self.mesh.ask(requests.run_console_line(self.name, line))

    def _writes(self, request: requests.Request[int]) -> Message:
        return Message(self.mesh, self.mesh.ask(request))

    # What happens to its board

    def power(self, is_on: bool, erases_flash: bool | None = None) -> NodeState:
        """Switches the power of the board off or on."""
        return self.mesh.ask(requests.set_power(self.name, is_on, erases_flash))

    def has_no_power(self) -> NodeState:
        return self.power(False)

    def restarts(self, erases_flash: bool | None = None) -> NodeState:
        """Restarts the board, as its reset button does."""
        return self.mesh.ask(requests.restart_node(self.name, erases_flash))

    def sets_clock(self, unix_seconds: int) -> NodeState:
        """Sets the calendar clock, as a time signal would."""
        return self.mesh.ask(requests.set_clock(self.name, unix_seconds))

    def has_body(
        self, *, battery: Value | None = None, cutoff_v: float | None = None, recovery_v: float | None = None,
        auto_shutdown_v: float | None = None, external_power: bool | list[dict[str, Any]] | None = None,
        gps: bool | dict[str, Any] | None = None, sensors: dict[str, Any] | None = None,
        board_temperature: Value | None = None, noise_floor_dbm: Value | None = None,
    ) -> NodeBody:
        """Changes what feeds it and what it measures, from now on; what is left out stays.

        Members and values are those of a body in world files; `meshbed.bodies` makes courses and cells.
        """
        return self.mesh.ask(
            requests.set_body(
                self.name, battery=battery, cutoff_v=cutoff_v, recovery_v=recovery_v, auto_shutdown_v=auto_shutdown_v,
                external_power=external_power, gps=gps, sensors=sensors, board_temperature=board_temperature,
                noise_floor_dbm=noise_floor_dbm))

    def walks(self, *neighbours: str) -> NodeState:
        """Moves the node where it hears these nodes and no others; without any, out of range of all."""
        return self.mesh.ask(requests.walk(self.name, [{"to": name} for name in neighbours]))

    def goes(self) -> State:
        """Removes the node for good."""
        return self.mesh.ask(requests.remove_node(self.name))

    # What passes at its antenna

    def transmits(self, frame: bytes) -> State:
        """Puts a frame on the air at its antenna, without the node."""
        return self.mesh.ask(requests.transmit_frame(self.name, frame))

    def hears(self, frame: bytes, snr: float | None = None, rssi: float | None = None) -> State:
        """Has the node receive a frame that no other node hears."""
        return self.mesh.ask(requests.hear_frame(self.name, frame, snr, rssi))

    # What passes at its endpoint

    def link_faults(
        self, way: str = TO_APP, *, frames: int | None = None, drop: float | None = None, double: float | None = None,
        garble: float | None = None, cut_in_two: float | None = None, delay_seconds: float | None = None,
        stall_seconds: float | None = None, cut_after: int | None = None, may_not_fire: bool | None = None,
        plan: Sequence[LinkFault] | None = None,
    ) -> NodeState:
        """Applies faults to frames between the radio and its client from now on: so many, or all until `link_is_well`.

        `drop`, `double`, `garble` and `cut_in_two` are shares of the frames, 0 to 1. `cut_after` ends the connection after
        so many more frames. A run in which one of them never takes effect is invalid, unless `may_not_fire` is set.
        `plan` has faults with occasions, made by `meshbed.link_faults`; they are armed beside those that are armed.
        """
        rates = given(
            frames=frames, drop=drop, double=double, garble=garble, cut_in_two=cut_in_two, delay_seconds=delay_seconds,
            stall_seconds=stall_seconds, cut_after=cut_after, may_not_fire=may_not_fire)
        # Without rates, those of the direction stay as they are.
        has_rates = plan is None or rates
        return self.mesh.ask(
            requests.set_link_faults(
                self.name, way if has_rates else None, None if plan is None else plan_of(plan), **rates))

    def link_is_well(self) -> NodeState:
        """Lets frames pass again, those that are held back included."""
        return self.mesh.ask(requests.clear_link_faults(self.name))

    def hangs_up(self) -> NodeState:
        """Ends the connection of its client."""
        return self.mesh.ask(requests.hang_up(self.name))

    def pushes(self, frame: bytes | None = None, nightmare: str | None = None) -> NodeState:
        """Sends a frame to its client that the radio never sent: these bytes, or a nightmare by name, such as noise."""
        return self.mesh.ask(requests.push_frame(self.name, frame, nightmare))

    def starts_recording(self) -> NodeState:
        """Begins a recording of the frames between the radio and its client."""
        return self.mesh.ask(requests.start_recording(self.name))

    def ends_recording(self) -> str:
        """Ends the recording; returns its text, with secrets scrubbed."""
        return self.mesh.ask(requests.end_recording(self.name))
