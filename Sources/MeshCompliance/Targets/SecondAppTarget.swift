import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshTime

/// The app at the second interface of an emulated radio, which shares time, air and board with the first one.
final class SecondAppTarget: ComplianceTarget {
    private static let number = 1

    let title = "second app"
    let patience: TimeSpan
    let silence: TimeSpan
    private let first: EmulatorTarget

    init(_ first: EmulatorTarget) {
        self.first = first
        (patience, silence) = (first.patience, first.silence)
    }

    var abilities: Abilities { first.abilities }
    var interface: AppLink { first.radio.build.furtherLinks.first ?? first.interface }
    var board: BoardProfile? { first.board }
    var virtualTime: Instant? { first.virtualTime }
    var hasRestarted: Bool { first.hasRestarted }

    func prepare(_ setup: Setup) throws(TargetError) { throw .unsupported("make a radio of its own") }
    func close() {}

    func write(_ bytes: [UInt8]) throws(TargetError) { first.radio.receive(bytes, at: Self.number) }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try first.wait(span, forAppAt: Self.number)
        return first.radio.takeWrite(at: Self.number)
    }

    func wait(_ span: TimeSpan) throws(TargetError) { try first.wait(span) }
    func connect() throws(TargetError) { first.radio.connect(at: Self.number) }
    func disconnect() throws(TargetError) { first.radio.disconnect(at: Self.number) }
}
