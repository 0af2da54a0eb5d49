import MeshCompanion
import MeshCore
import MeshFirmware
import MeshRadio
import MeshTime
import MeshTransports
import NIOCore

/// The way between a node's place and the real radio in it; lives on the emulator's event loop.
final class AntennaPort: AppPort {
    private let radio: AntennaRadio
    private let owner: any PortOwner
    private let label: String
    private let clock: LoopAlarm
    private var desk = AntennaDesk()
    private let outgoing: AsyncStream<AntennaDesk.Outgoing>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var isStopped = false

    /// Begins to listen and to send; the radio is the port's from now on.
    init(_ radio: AntennaRadio, owner: any PortOwner, label: String) {
        self.radio = radio
        self.owner = owner
        self.label = label
        clock = LoopAlarm(owner.eventLoop)
        let (packets, outgoing) = AsyncStream.makeStream(of: AntennaDesk.Outgoing.self)
        self.outgoing = outgoing
        let port = NIOLoopBound(self, eventLoop: owner.eventLoop)
        tasks = [
            Task { [radio] in
                for await event in await radio.packets() {
                    port.eventLoop.execute { port.value.heard(event) }
                }
                port.eventLoop.execute { port.value.linkEnded() }
            },
            Task { [radio] in
                for await packet in packets {
                    let isTaken = await radio.send(packet.packet)
                    port.eventLoop.execute { port.value.answered(packet, isTaken: isTaken) }
                }
            },
        ]
    }

    // MARK: The radio

    private func heard(_ event: MeshEvent) {
        let log: (packet: [UInt8], snr: Int8)
        switch event {
        case .rxLogData(let received): log = (received.log.raw, received.log.snr)
        case .logData(let received): log = (received.raw, received.snr)
        default: return
        }
        if desk.hears(log.packet, snr: log.snr, at: clock.now) { owner.advance() }
    }

    private func answered(_ packet: AntennaDesk.Outgoing, isTaken: Bool) {
        let airtime = radio.parameters.airtimeMilliseconds(bytes: packet.packet.count)
        desk.answered(packet, isTaken: isTaken, airtimeMilliseconds: airtime, at: clock.now)
    }

    private func linkEnded() {
        guard !isStopped else { return }
        owner.portFailed(.antennaLost(label: label))
    }

    // MARK: AppPort

    var hasClient: Bool { true }
    var isPacketwise: Bool { true }

    func nextInput(window: Int) -> NodeInput? {
        guard window > 0 else { return nil }
        return desk.nextIncoming(at: clock.now).map(NodeInput.appBytes)
    }

    func send(_ bytes: [UInt8]) -> Bool {
        guard let packet = desk.leaves(bytes, at: clock.now) else { return false }
        outgoing.yield(packet)
        return true
    }

    func shutOut() -> Int { 0 }
    func reset() {}

    func stop() -> EventLoopFuture<Void> {
        isStopped = true
        outgoing.finish()
        for line in desk.summary { owner.note("\(label): \(line)") }
        let promise = owner.eventLoop.makePromise(of: Void.self)
        promise.completeWithTask { [radio, tasks] in
            await radio.stop()
            for task in tasks { task.cancel() }
        }
        return promise.futureResult
    }
}
