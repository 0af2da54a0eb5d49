import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime

@testable import MeshCompliance

/// A radio that outlives a run and may be erased: the emulated one at a socket, whose link fails when a test says so.
final class SomebodysRadio: ComplianceTarget {
    /// The fault that meets a frame of the client.
    enum Fault {
        /// The link goes, and connections are refused until the radio has started.
        case crash
        /// The link goes, and so many connections are refused.
        case loss(refusals: Int)
        /// The frame is not answered, nor heeded.
        case silence
        /// The radio says no.
        case refusal(ErrorCode)
    }

    /// The effect of the owner's commands for the power.
    enum Power {
        /// There are none.
        case none
        /// The radio is without power, and starts again.
        case cut
        /// The radio goes on running: on a battery, or behind another port.
        case kept
    }

    private let inner: EmulatorTarget
    /// Asked about every frame of the client; `nil` for those that the radio gets.
    var fault: ([UInt8]) -> Fault? = { _ in nil }
    /// Changes what the radio writes, a frame with its header at a time.
    var tamper: ((inout [UInt8]) -> Void)? {
        get { inner.tamper }
        set { inner.tamper = newValue }
    }
    private var isPrepared = false
    private var isDown = false
    private var isStarting = false
    private var refusals = 0
    private var answer: [UInt8]?

    private let board: (@Sendable (inout BoardProfile) -> Void)?

    init(quirks: QuirkSet = .all, board: (@Sendable (inout BoardProfile) -> Void)? = nil) {
        inner = EmulatorTarget(quirks: quirks)
        self.board = board
    }

    let title = "tcp://127.0.0.1:1"
    var abilities: Abilities = [.link, .secondClient, .identity, .restart, .clock, .crash, .emptyContacts]
    var isSilent = false
    var power = Power.none
    var interface: AppLink { inner.interface }
    var patience: TimeSpan { inner.patience }
    var silence: TimeSpan { inner.silence }
    var virtualTime: Instant? { inner.virtualTime }

    func prepare(_ setup: Setup) throws(TargetError) {
        if isDown { throw .unreachable("connection refused") }
        guard !isPrepared else { return }
        isPrepared = true
        try inner.prepare(Setup(interface: .wifi, board: board))
    }

    func close() { inner.close() }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        try requireLink()
        // A frame is a header of three bytes and its content.
        switch fault([UInt8](bytes.dropFirst(3))) {
        case nil: try inner.write(bytes)
        case .silence: break
        case .refusal(let error): answer = [0x3E, 0x02, 0x00, 0x01, error.rawValue]
        case .crash: (isDown, isStarting) = (true, true)
        case .loss(let refusals): (isDown, self.refusals) = (true, refusals)
        }
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try requireLink()
        if let answer {
            self.answer = nil
            return answer
        }
        return try inner.read(within: span)
    }

    private func requireLink() throws(TargetError) {
        if isDown { throw .linkLost("the radio closed the connection") }
    }

    func wait(_ span: TimeSpan) throws(TargetError) { try inner.wait(span) }

    func connect() throws(TargetError) {
        if isStarting || refusals > 0 {
            refusals -= 1
            throw .unreachable("connection refused")
        }
        isDown = false
        try inner.connect()
    }

    func disconnect() throws(TargetError) { try inner.disconnect() }

    func powerCycle() throws(TargetError) {
        switch power {
        case .none: throw .unsupported("cut the power")
        case .cut:
            try inner.powerCycle()
            try inner.wait(.seconds(3))
        case .kept: try inner.wait(.seconds(3))
        }
    }

    func reconnectAfterRestart() throws(TargetError) {
        guard isDown else { return try inner.reconnectAfterRestart() }
        if isStarting {
            isStarting = false
            try inner.powerCycle()
            try inner.wait(.seconds(3))
        }
        try connect()
    }
}
