import Dispatch
import MeshBluetoothHost
import MeshBus
import MeshTransports
import NIOCore

/// An adapter that bluetoothd keeps, as a radio uses it: its bus, its listener, and the sockets of centrals.
///
/// What is said to bluetoothd is ``DesktopAdapter``'s; what is said to centrals comes from who owns it. It lives on an
/// event loop, and holds nothing after `stop`.
final class DesktopRadio: RadioBearer {
    typealias Host = AttributeHost

    /// bluetoothd says when it advertises.
    static var confirmsAdvertising: Bool { true }

    /// Addresses of its machine's services; tests play one.
    struct Machine: Sendable {
        /// Gets sockets of centrals, on any thread.
        typealias Arrival = @Sendable (Int32, BluetoothAddress) -> Void

        var bus = Bus.Place.system
        /// Listens on an adapter with this address until what it returns is called.
        var listen: @Sendable (BluetoothAddress, LinkAddress, @escaping Arrival) throws(LinkError) -> (() -> Void) = {
            (own, address, arrived) throws(LinkError) in
            let listener = try AttributeListener(on: own, for: address, arrived: arrived)
            return { listener.close() }
        }
    }

    private struct Connection {
        let link: AttributeLink
        let peer: BluetoothAddress
    }

    private let address: LinkAddress
    private let machine: Machine
    private let eventLoop: any EventLoop
    private let report: (Event) -> Void
    private var adapter: DesktopAdapter
    private var bus: Bus?
    private var closeListener: (() -> Void)?
    /// By their numbers.
    private var connections: [UInt32: Connection] = [:]
    private var connectionCount: UInt32 = 0
    private var isStopped = false
    /// Calls that bluetoothd has not answered.
    private var pendingCalls = 0
    private let stopped: EventLoopPromise<Void>

    /// Centrals that may be there at once; all but one are on their way out.
    private static let connectionLimit = 8

    init(
        _ number: Int, _ address: LinkAddress, on machine: Machine, eventLoop: any EventLoop,
        report: @escaping (Event) -> Void
    ) {
        self.address = address
        self.machine = machine
        self.eventLoop = eventLoop
        self.report = report
        adapter = DesktopAdapter(number)
        stopped = eventLoop.makePromise()
    }

    /// `ready` follows, or `ended`.
    func begin() -> EventLoopFuture<Void> {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let (eventLoop, place, rules) = (eventLoop, machine.bus, adapter.rules)
        let opened = eventLoop.makePromise(of: Bus.self)
        // Opening a bus blocks.
        DispatchQueue(label: "the system's bus is opened").async {
            opened.completeWith(
                Result { () throws(BusError) in
                    let bus = try Bus(place) { event in
                        eventLoop.execute { this.value.perform { $0.happened(event) } }
                    }
                    for rule in rules { try bus.listen(rule) }
                    return bus
                }.mapError { $0 as any Error })
        }
        opened.futureResult.whenComplete { result in
            let this = this.value
            guard !this.isStopped else { return }
            switch result {
            case .success(let bus):
                this.bus = bus
                this.perform { $0.start() }
            case .failure(let error):
                this.end(DesktopAdapter.reason(error as? BusError ?? .unavailable("\(error)")))
            }
        }
        return eventLoop.makeSucceededVoidFuture()
    }

    /// Does what the attributes' host orders; `name` is what the radio is called.
    func perform(_ order: AttributeHost.Order, name: [UInt8]) {
        switch order {
        case .advertise: perform { $0.advertise(name) }
        case .stopAdvertising: perform { $0.stopAdvertising() }
        case .send(let number, let packet): connections[number]?.link.send(packet)
        case .hangUp(let number):
            guard let connection = connections[number] else { return }
            connection.link.close()
            perform { $0.disconnect(connection.peer) }
        }
    }

    /// Hangs up and puts the adapter back as it was; bluetoothd has been told when it ends.
    func stop() -> EventLoopFuture<Void> {
        guard !isStopped else { return stopped.futureResult }
        closeListener?()
        closeListener = nil
        for (_, connection) in connections.sorted(by: { $0.key < $1.key }) {
            connection.link.close()
            perform { $0.disconnect(connection.peer) }
        }
        perform { $0.stop() }
        isStopped = true
        connections = [:]
        endBus()
        return stopped.futureResult
    }

    /// Ends the bus once nothing is on its way any more: a program that ends takes its bus with it.
    private func endBus() {
        guard isStopped, pendingCalls == 0 else { return }
        bus = nil
        stopped.succeed()
    }

    // MARK: bluetoothd

    private func perform(_ step: (inout DesktopAdapter) -> [DesktopAdapter.Output]) {
        guard !isStopped else { return }
        for output in step(&adapter) where !isStopped { perform(output) }
    }

    private func perform(_ output: DesktopAdapter.Output) {
        switch output {
        case .call(let purpose, let request):
            let this = NIOLoopBound(self, eventLoop: eventLoop)
            let eventLoop = eventLoop
            guard let bus else { return }
            pendingCalls += 1
            bus.send(request) { answer in eventLoop.execute { this.value.answered(purpose, answer) } }
        case .answer(let call, let values): bus?.answer(call, values)
        case .refuse(let call, let name): bus?.refuse(call, name: name, text: "an emulated radio does not do this")
        case .ready(let own): listen(on: own)
        case .advertising: report(.advertising)
        case .notAdvertising(let reason):
            report(.notAdvertising(reason))
            report(.happened([.notAdvertised]))
        case .passkey(let passkey, let peer):
            let digits = String(passkey)
            report(.shown("PIN \(String(repeating: "0", count: 6 - digits.count))\(digits) for \(peer)"))
        case .ended(let reason): end(reason)
        }
    }

    private func answered(_ purpose: DesktopAdapter.Purpose, _ answer: Result<[BusValue], BusError>) {
        pendingCalls -= 1
        perform { $0.answered(purpose, answer) }
        endBus()
    }

    private func end(_ reason: String) {
        guard !isStopped else { return }
        report(.ended(reason))
    }

    // MARK: Centrals

    private func listen(on own: BluetoothAddress) {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let eventLoop = eventLoop
        do throws(LinkError) {
            closeListener = try machine.listen(own, address) { descriptor, peer in
                eventLoop.execute { this.value.arrived(descriptor, peer) }
            }
        } catch {
            return end(error.reason)
        }
        report(.ready)
    }

    private func arrived(_ descriptor: Int32, _ peer: BluetoothAddress) {
        let number = connectionCount + 1
        // It closes the socket where nobody takes it.
        let link = AttributeLink(descriptor) { [weak self] in self?.happened($0, number) }
        guard !isStopped, connections.count < Self.connectionLimit else { return }
        connectionCount = number
        connections[number] = Connection(link: link, peer: peer)
        report(.happened([.opened(number, peer)]))
        link.begin(on: eventLoop)
    }

    private func happened(_ event: AttributeLink.Event, _ number: UInt32) {
        guard !isStopped, connections[number] != nil else { return }
        switch event {
        case .received(let packet, let level): report(.happened([.received(number, packet, level)]))
        case .sent: report(.happened([.sent(number)]))
        case .closed:
            connections[number] = nil
            report(.happened([.closed(number)]))
        }
    }
}
