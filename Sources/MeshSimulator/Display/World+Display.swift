import MeshCompanion
public import MeshFirmware
import MeshTime

/// An answer to a press of a button.
public enum PressOutcome: Hashable, Sendable {
    /// The firmware has done what it does then.
    case pressed
    /// The board does not run.
    case isOff
    /// The effect of this press is not modelled, and has not happened.
    case unknown
    /// The node runs in another program.
    case isGuest
}

/// Displays and buttons: drawn and pressed when somebody asks, and nothing before that.
extension World {
    /// The text on the display of a node; `nil` for one that runs in another program.
    ///
    /// A node has the display of the firmware's usual builds, whether its board's is said to work or not.
    public func display(of node: NodeID) -> NodeDisplay? {
        guard let firmware = firmware(node) else { return nil }
        guard isUp(node) else { return .off }
        if let server = firmware as? any InfrastructureNode { return screen(of: node.index).display(server, at: now) }
        guard let radio = firmware as? CompanionRadio else { return nil }
        return CompanionDrawing(
            radio: radio, now: nodeTime(of: node.index), noiseFloor: noiseFloor(of: node),
            hasBluetooth: appLinks(of: node).contains(.bluetooth)
        ).display
    }

    /// Presses the button of a node's board.
    @discardableResult
    public mutating func press(_ press: ButtonPress, on node: NodeID) -> PressOutcome {
        guard !states[node.index].place.isGuest else { return .isGuest }
        guard isUp(node) else { return .isOff }
        guard case .companion(let place) = states[node.index].place else { return pressServer(press, node.index) }
        // The firmware looks at its button in a pass, and its present is that of the last one.
        lookAtClock(node.index)
        guard isUp(node) else { return .isOff }
        let isKnown = cores.companions[Int(place)].press(press)
        lookAtClock(node.index)
        return isKnown ? .pressed : .unknown
    }

    private func screen(of index: Int) -> ServerScreen {
        if let screen = screens[index], screen.boots == slots[index].boots { return screen }
        return ServerScreen(boots: slots[index].boots, startedAt: slots[index].bootedAt)
    }

    private mutating func pressServer(_ press: ButtonPress, _ index: Int) -> PressOutcome {
        var screen = screen(of: index)
        defer { screens[index] = screen }
        let board = slots[index].board
        // Rooms and sensors look at the level of the button, as repeaters did until 1.17: any press is a click.
        guard press == .long, slots[index].role.isRepeater, board.firmware.switches.powersOffAllBoards else {
            screen.lastUse = now
            return .pressed
        }
        screen.isLeaving = true
        perform(.appBytes([UInt8]("Powering Off\r\n".utf8)), of: index)
        queue.schedule(
            .button(node: Int32(index), boots: Int32(truncatingIfNeeded: screen.boots)),
            at: now + ServerScreen.powerOffDelay)
        return .pressed
    }

    /// The time is over after which a repeater whose button was held switches itself off.
    mutating func turnOffByButton(_ index: Int, boots: Int) {
        guard isUp(NodeID(index: index)), slots[index].boots == boots else { return }
        perform(.powerOff, of: index)
    }
}

extension NodeRole {
    fileprivate var isRepeater: Bool { if case .server(.repeater) = self { true } else { false } }
}
