import MeshBoards
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire

/// A real radio with another one in radio range, which sends packets for the suite and reports those that it hears.
///
/// Signals are as they come, packets get lost, and others are on the air, too.
final class PeeredTarget: ComplianceTarget {
    let radio: StreamTarget
    let peer: PeerRadio
    /// Messages of other people that were fetched from the radio's queue on the way to ours.
    var fetched: [[UInt8]] = []
    /// The wall clock's share of a radio's second: 1 but for emulated radios that run fast.
    private var pace = 1.0
    private var airtime = Airtime(LoRaParameters())

    init(_ radio: StreamTarget, peer: PeerRadio) {
        self.radio = radio
        self.peer = peer
    }

    var title: String { "\(radio.title) with \(peer.title)" }
    var interface: AppLink { radio.interface }
    var silence: TimeSpan { radio.silence }
    var patience: TimeSpan { radio.patience + onAir(255) + onAir(255) }

    var abilities: Abilities {
        guard peer.problem == nil, peer.isPrepared else { return radio.abilities }
        return radio.abilities.union(peer.sendsPackets ? [.secondRadio, .packets] : .secondRadio)
    }

    // MARK: Times

    /// Stores the parameters of both radios, and the time that a packet of so many bytes really needed.
    func learn(_ parameters: LoRaParameters, count: Int, took: TimeSpan) {
        airtime = Airtime(parameters)
        let expected = Double(airtime.microseconds(bytes: count))
        let measured = Double(took.microseconds) / expected
        // Drivers differ a little in their preambles; a clock that runs fast differs much.
        pace = measured > 0.5 ? 1 : max(0.02, measured)
    }

    /// For the radios' parameters, before anything was measured.
    func learn(_ parameters: LoRaParameters) {
        airtime = Airtime(parameters)
        pace = 1
    }

    /// A time of the radios on the clock of the wall; a fifth of a second at least, as machines need theirs.
    func scaled(_ span: TimeSpan) -> TimeSpan {
        pace == 1
            ? span : max(.milliseconds(200), TimeSpan(microseconds: Int64(wholePart: Double(span.microseconds) * pace)))
    }

    /// The seconds by which a radio's clock may move on between an event and a question about it.
    var clockSlack: UInt32 { UInt32(wholePart: 3 / pace) }

    private func onAir(_ count: Int) -> TimeSpan {
        TimeSpan(microseconds: Int64(wholePart: Double(airtime.microseconds(bytes: count)) * pace))
    }

    /// Returns the time that a packet of so many bytes may need from a command to its effects. Others may send first,
    /// and a radio is silent for as long as it sent before.
    func reach(of count: Int) -> TimeSpan {
        onAir(count) + onAir(255) + onAir(255)
            + max(.milliseconds(300), TimeSpan(microseconds: Int64(wholePart: 2_000_000 * pace)))
    }

    /// After so long a silence nothing is on its way any more, unless it is among the longest packets.
    var settling: TimeSpan { onAir(160) + .milliseconds(40) }

    // MARK: Client

    func prepare(_ setup: Setup) throws(TargetError) {
        try radio.prepare(setup)
        peer.forget()
    }

    func close() {
        radio.close()
        peer.close()
    }

    var linkProblem: String? { radio.linkProblem }
    var isSilent: Bool { radio.isSilent }

    func write(_ bytes: [UInt8]) throws(TargetError) { try radio.write(bytes) }
    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? { try radio.read(within: span) }
    func wait(_ span: TimeSpan) throws(TargetError) { try radio.wait(span) }
    func connect() throws(TargetError) { try radio.connect() }
    func disconnect() throws(TargetError) { try radio.disconnect() }
    func reconnectAfterRestart() throws(TargetError) { try radio.reconnectAfterRestart() }
    func connectSecondClient() throws(TargetError) -> Bool { try radio.connectSecondClient() }
    func central() throws(TargetError) -> TestCentral { try radio.central() }
    func powerCycle() throws(TargetError) { try radio.powerCycle() }

    // MARK: Air

    func hear(_ frame: [UInt8], snr: Double, rssi: Double) throws(TargetError) {
        try peer.send(packet: frame)
    }

    func transmission(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try peer.heard(within: span)
    }
}
