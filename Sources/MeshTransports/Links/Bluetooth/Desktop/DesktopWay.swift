import Dispatch
import MeshBluetoothHost
import MeshBus
import MeshTime
import NIOCore

/// A way through bluetoothd: ``DesktopCentral`` and a connection to the system's bus.
final class DesktopWay: BluetoothWay {
    private let eventLoop: any EventLoop
    private let address: LinkAddress
    private let place: Bus.Place
    private var central: DesktopCentral
    private var bus: Bus?
    private var clock: () -> Instant = { .start }
    private var isClosed = false
    var report: ((BluetoothWayEvent) -> Void)?

    init(_ central: DesktopCentral, _ address: LinkAddress, bus place: Bus.Place, on eventLoop: any EventLoop) {
        self.central = central
        self.address = address
        self.place = place
        self.eventLoop = eventLoop
    }

    var deadline: Instant? { central.deadline }
    var isIdle: Bool { central.phase == .idle }
    var unwritten: Int { central.unwritten }

    func open(clock: @escaping () -> Instant) -> EventLoopFuture<Void> {
        self.clock = clock
        let (this, eventLoop, place) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop, place)
        let opened = eventLoop.makePromise(of: Bus.self)
        // To connect to the bus blocks.
        DispatchQueue(label: "the system's bus is opened").async {
            do throws(BusError) {
                let bus = try Bus(place) { event in eventLoop.execute { this.value.happened(event) } }
                for rule in DesktopNames.rules { try bus.listen(rule) }
                opened.succeed(bus)
            } catch {
                opened.fail(BluetoothCentral.Failure(error, adapter: "", hasTyped: false))
            }
        }
        return opened.futureResult.map { bus in
            let this = this.value
            guard !this.isClosed else { return }
            this.bus = bus
            this.perform(this.central.start(at: this.clock()))
        }
    }

    private func happened(_ event: BusEvent) {
        guard !isClosed else { return }
        switch event {
        case .signal(let signal): perform(central.told(signal, at: clock()))
        case .call(let call): perform(central.called(call))
        case .closed: perform(central.close())
        }
    }

    private func perform(_ outputs: [DesktopCentral.Output]) {
        let (this, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop)
        for output in outputs where !isClosed {
            switch output {
            case .ask(let number, let request, let limit):
                bus?.send(request, limit: limit) { answer in
                    eventLoop.execute { this.value.answered(number, answer) }
                }
            case .answer(let call, let values): bus?.answer(call, values)
            case .refuse(let call, let name): bus?.refuse(call, name: name, text: "")
            case .ready: report?(.ready)
            case .frame(let frame): report?(.frame(frame))
            case .found(let neighbor): report?(.found(neighbor))
            case .ended(let failure): report?(.ended(failure))
            // As on any stream, the app's own limits say what becomes of a frame that is not answered.
            case .notWritten, .hasRoom: break
            }
        }
        report?(.settled)
    }

    private func answered(_ number: Int, _ answer: Result<[BusValue], BusError>) {
        guard !isClosed else { return }
        perform(central.answered(number, answer, at: clock()))
    }

    func send(_ frame: [UInt8]) throws(BluetoothCentral.Refusal) { perform(try central.send(frame, at: clock())) }

    func expire() { perform(central.expire(at: clock())) }

    func hangUp() { perform(central.hangUp(at: clock())) }

    /// Closes the connection: its thread sends the waiting orders and ends.
    func close() -> EventLoopFuture<Void> {
        isClosed = true
        (report, bus) = (nil, nil)
        return eventLoop.makeSucceededVoidFuture()
    }
}
