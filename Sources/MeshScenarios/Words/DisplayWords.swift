public import MeshBoards
public import MeshFirmware
import MeshSimulator

// What a node's display shows, and the button of its board.

/// A press of the button of a node's board.
public struct PressesButton: Action {
    let node: Member
    let press: ButtonPress

    public var sentence: String {
        press == .long ? "the button of \(node.name) is held" : "the button of \(node.name) is clicked"
    }
    public var cast: [Member] { [node] }
    public var needs: Abilities { .board }

    public func perform(on stage: Stage) async throws {
        let outcome = try await stage.withWorld { [node, press] world in
            world.press(press, on: try world.node(of: node))
        }
        switch outcome {
        case .pressed: break
        case .isOff: throw ScenarioError("the board of \(node.name) does not run")
        case .unknown: throw ScenarioError("what this press does at \(node.name) is not modelled")
        case .isGuest: throw ScenarioError("\(node.name) runs in another program")
        }
    }
}

/// Expects the display of a node to show a line, or to be off.
public struct DisplayShows: Expectation {
    let node: Member
    /// `nil` for a display that is off.
    let line: String?

    public var sentence: String {
        line.map { "the display of \(node.name) shows '\($0)'" } ?? "the display of \(node.name) is off"
    }
    public var cast: [Member] { [node] }
    public let needs = Abilities.board

    public func look(at stage: Stage) async throws -> Observation {
        let display = try await stage.withWorld { [node] world in world.display(of: try world.node(of: node)) }
        guard let display else { return .holdsNot("it runs in another program") }
        let holds = line.map { display.lines.contains($0) } ?? !display.isOn
        return Observation(
            holds, otherwise: display.isOn ? "it shows \(display.lines.joined(separator: " | "))" : "it is off")
    }
}

extension RunningNode {
    /// The button of its board is pressed.
    public func presses(_ press: ButtonPress) -> PressesButton { PressesButton(node: member, press: press) }
    /// One of the lines on its display is this.
    public func displays(_ line: String) -> DisplayShows { DisplayShows(node: member, line: line) }
    /// Its display is off.
    public func displaysNothing() -> DisplayShows { DisplayShows(node: member, line: nil) }
}
