import MeshBluetoothHost
import MeshFiles
import MeshTime
import MeshWire
import NIOCore

/// A way through a controller: ``BluetoothCentral``, the controller's channel and the file of bonds.
final class ControllerWay: BluetoothWay {
    /// Packets of a controller hold no more.
    private static let packetLimit = 4096

    private let eventLoop: any EventLoop
    private let address: LinkAddress
    private let place: BluetoothController
    private let bonds: BondFile?
    /// The names by which radios were dialed, so that they can be forgotten by them.
    private var names: [UInt64: String]
    private var central: BluetoothCentral
    private var random = SystemRandomNumberGenerator()
    private var packets = HCI.PacketReader(limit: ControllerWay.packetLimit)
    private var controller: ByteSource?
    private var clock: () -> Instant = { .start }
    private var isClosed = false
    var report: ((BluetoothWayEvent) -> Void)?

    init(
        _ central: BluetoothCentral, _ place: BluetoothController, _ bonds: BondFile?, _ names: [UInt64: String],
        _ address: LinkAddress, on eventLoop: any EventLoop
    ) {
        self.central = central
        self.place = place
        self.bonds = bonds
        self.names = names
        self.address = address
        self.eventLoop = eventLoop
    }

    var deadline: Instant? { central.deadline }
    var isIdle: Bool { central.phase == .idle }
    var unwritten: Int { central.unwritten }

    func open(clock: @escaping () -> Instant) -> EventLoopFuture<Void> {
        self.clock = clock
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let flow = LinkFlow(readSize: ByteSource.readSize)
        return LinkDialer.channel(to: .controller(place), flow: flow, on: eventLoop) { channel in
            let source = ByteSource { this.value.happened($1, $0) }
            try channel.pipeline.syncOperations.addHandler(source)
        }.map { _ in }
    }

    private func happened(_ event: ByteSource.Event, _ source: ByteSource) {
        switch event {
        case .active:
            guard !isClosed else {
                source.channel?.close(promise: nil)
                return
            }
            controller = source
            perform(central.start(at: clock(), random: &random))
        case .received: receive(source.take(.max))
        case .inputEnded, .closed:
            guard !isClosed else { return }
            perform(central.close(at: clock(), random: &random))
        }
    }

    private func receive(_ bytes: [UInt8]) {
        packets.append(bytes.span)
        do throws(FrameError) {
            while !isClosed, let packet = try packets.next() {
                perform(central.receive(packet, at: clock(), random: &random))
            }
        } catch {
            report?(.ended(BluetoothCentral.Failure.controller(.malformed(error))))
        }
    }

    private func perform(_ outputs: [BluetoothCentral.Output]) {
        for output in outputs where !isClosed {
            switch output {
            case .send(let packet): controller?.channel?.writeAndFlush(ByteBuffer(bytes: packet), promise: nil)
            case .ready:
                if noteName(among: central.known) { keep(central.known) }
                report?(.ready)
            case .frame(let frame): report?(.frame(frame))
            case .keep(let peers):
                // Radios that want no secure link for the first frames pair behind them.
                _ = noteName(among: peers)
                keep(peers)
            case .ended(let failure): report?(.ended(failure))
            case .found(let advertiser):
                let isPaired = central.known.contains { $0.bond.matches(advertiser.address) }
                report?(.found(BluetoothNeighbor(advertiser, isPaired: isPaired)))
            // Nobody is here to type another one.
            case .pinWanted: perform(central.enter(nil, at: clock(), random: &random))
            // As on any stream, the app's own limits say what becomes of a frame that is not answered.
            case .notWritten, .hasRoom, .note: break
            }
        }
        report?(.settled)
    }

    /// Notes the name by which a radio was dialed beside its keys, where these are there and have another one.
    private func noteName(among peers: [BluetoothHost.KnownPeer]) -> Bool {
        guard case .bluetooth(let radio) = address, case .name(let name) = radio.peer, let dialed = central.dialed,
            let peer = peers.first(where: { $0.bond.matches(dialed) })?.bond.peer, names[peer.number] != name
        else { return false }
        names[peer.number] = name
        return true
    }

    private func keep(_ peers: [BluetoothHost.KnownPeer]) {
        do throws(FileSystem.Failure) {
            try bonds?.store(peers, names: names)
        } catch {
            report?(.ended(LinkError.unreachable(address, reason: "its keys cannot be kept: \(error)")))
        }
    }

    func send(_ frame: [UInt8]) throws(BluetoothCentral.Refusal) {
        perform(try central.send(frame, withResponse: true, at: clock(), random: &random))
    }

    func expire() { perform(central.expire(at: clock(), random: &random)) }

    func hangUp() { perform(central.hangUp(at: clock(), random: &random)) }

    func close() -> EventLoopFuture<Void> {
        isClosed = true
        report = nil
        defer { controller = nil }
        return controller?.channel?.close() ?? eventLoop.makeSucceededVoidFuture()
    }
}
