import MeshBoards
import MeshCompanion
package import MeshRadio
import MeshReports
import MeshTime
import MeshTransports
import MeshWire

/// The second real radio of a run: a companion radio with an owner, steered by its commands and left as it was.
final class PeerRadio {
    let title: String
    let target: StreamTarget
    let probe: Probe
    /// The reason why it does not take part any more.
    private(set) var problem: String?
    /// Tells whether it is set up for the run.
    private(set) var isPrepared = false
    /// Tells whether it sends packets that are given to it whole: SEND_RAW_PACKET, firmware 1.16.
    private(set) var sendsPackets = false
    /// Facts for the user about earlier runs.
    private(set) var notes: [String] = []
    private(set) var key: [UInt8] = []
    private(set) var name: [UInt8] = []
    private(set) var parameters = LoRaParameters()

    /// - Parameters:
    ///   - peer: The radio, at its address.
    ///   - folders: The place of its record; nothing is kept without one.
    init(_ address: LinkAddress, of peer: Target, keptIn folders: BoardFolders?) {
        target = StreamTarget(address, title: peer.label)
        title = target.title
        probe = Probe(target)
        probe.ledger = folders.flatMap { RadioLedger(peer, in: $0) }
    }

    // MARK: Before and after

    /// Reaches the radio and learns what will have to be put back; nothing is changed yet.
    func reach() throws {
        try target.prepare(Setup())
        try probe.introduce()
        notes = try probe.putBackLeft(of: title)
        let keeper = try probe.remembered()
        probe.ledger?.begin(keeper)
        probe.keeper = keeper
        let info = try probe.selfInfo()
        key = info["key"]
        name = info["name"]
        parameters = LoRaParameters(info)
    }

    /// Sets the radio up: it adds nobody by itself, answers requests for telemetry, and floods without a scope and with
    /// hashes of one byte.
    ///
    /// - Parameter restsAfterSending: whether it may rest after a packet for as long as that took, as by default.
    func prepare(restsAfterSending: Bool = true) throws {
        guard var keeper = probe.keeper else { return }
        keeper.baseline = keeper.before.usual(manualAdd: 1, telemetryModes: 2)
        if !restsAfterSending { keeper.baseline.tuning?.airtimeFactor = 0 }
        keeper.note(differencesTo: keeper.before)
        probe.keeper = keeper
        try probe.restoreTouched(expecting: "00")
        isPrepared = true
    }

    /// Undoes its changes after a statement.
    func tidy() throws(TargetError) {
        guard isPrepared, problem == nil, probe.keeper?.hasTouched == true else { return }
        try attempt {
            try probe.resynchronise()
            try probe.restoreTouched()
        }
        forget()
    }

    /// At the end of the run: puts back everything; what was not put back, a line each.
    func restore() -> [String] {
        if problem != nil { probe.forgetPartialFrame() }
        return probe.restoreAndForget()
    }

    func close() {
        target.close()
    }

    /// Notes that it cannot be reached any more, and returns the error for the caller.
    func lost(_ error: any Error) -> TargetError {
        let reason = "\(title): \(error)"
        problem = reason
        return .peerLost(reason)
    }

    private func attempt<R>(_ body: () throws -> R) throws(TargetError) -> R {
        if let problem { throw .peerLost(problem) }
        do {
            return try body()
        } catch {
            throw lost(error)
        }
    }

    // MARK: Air

    /// Sends the packet as it is, before all others; learns at the first one whether the firmware can.
    func send(packet: [UInt8]) throws(TargetError) {
        try attempt {
            for _ in 0..<20 {
                switch try probe.ask("41 00 \(packet)", "…").frame {
                case [0x00]: return
                // No free buffer: what is in them needs its time.
                case [0x01, 0x03]: try target.wait(.milliseconds(250))
                case let other: throw probe.failure(expected: "00", got: FrameText.reply(other))
                }
            }
            throw probe.failure(expected: "a free buffer", got: "none")
        }
    }

    /// Sends four bytes or more to its neighbours: as a whole packet where it can, else as raw data.
    func call(_ data: [UInt8]) throws {
        let packet = AirPacket(.raw, .direct, payload: data)
        sendsPackets = try probe.ask("41 00 \(packet.bytes)", "…").frame == [0x00]
        if !sendsPackets { try probe.ask("19 00 \(data)", "00") }
    }

    /// The next packet that it hears; `nil` when there is none in that time.
    func heard(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try attempt {
            if probe.heard.isEmpty { try probe.listen(for: span) { $0.first == 0x88 } }
            probe.forgetWaiting()
            return probe.heard.isEmpty ? nil : probe.heard.removeFirst()
        }
    }

    /// Waits until nothing has been heard for so long.
    func settle(_ silence: TimeSpan) throws(TargetError) {
        for _ in 0..<20 { if try heard(within: silence) == nil { return } }
    }

    /// Forgets what was heard.
    func forget() {
        probe.heard = []
    }
}

extension LoRaParameters {
    /// Reads the parameters of SELF_INFO.
    init(_ info: Captures) {
        self.init(
            frequencyKilohertz: info.number("freq"), bandwidthHertz: info.number("bw"),
            spreadingFactor: info["sf"].first ?? 0, codingRate: info["cr"].first ?? 0)
    }

    /// Tells whether radios with these hear each other. The coding rate is in every packet's header and need not be the
    /// same.
    package func hears(_ other: LoRaParameters) -> Bool {
        frequencyKilohertz == other.frequencyKilohertz && bandwidthHertz == other.bandwidthHertz
            && spreadingFactor == other.spreadingFactor
    }

    /// `869.618 MHz, 62.5 kHz, SF 8, CR 4/5`.
    package var text: String {
        let fraction = String(frequencyKilohertz % 1000 + 1000).dropFirst()
        return "\(frequencyKilohertz / 1000).\(fraction) MHz, \(Double(bandwidthHertz) / 1000) kHz, "
            + "SF \(spreadingFactor), CR 4/\(codingRate)"
    }
}
