import MeshBluetoothHost
package import MeshBus
package import MeshTime
import NIOCore
import NIOPosix

/// Listens for radios, and connects to none.
package final class BluetoothScan {
    private let way: any BluetoothWay
    private let alarm: LoopAlarm
    private let eventLoop: any EventLoop
    private let address: LinkAddress
    private let heard: @Sendable (BluetoothNeighbor) -> Void
    private let result: EventLoopPromise<Void>
    private let ended: EventLoopPromise<Void>
    private var isOver = false

    private init(
        _ plan: BluetoothWayPlan, ended: EventLoopPromise<Void>, on eventLoop: any EventLoop,
        heard: @escaping @Sendable (BluetoothNeighbor) -> Void
    ) {
        way = plan.make(on: eventLoop)
        address = plan.address
        alarm = LoopAlarm(eventLoop)
        result = eventLoop.makePromise()
        self.ended = ended
        self.eventLoop = eventLoop
        self.heard = heard
    }

    /// Scans, and blocks until the time is over; `heard` receives each radio at first and at each change.
    ///
    /// `heard` is called on a thread of its own, and does not block it.
    ///
    /// - Parameters:
    ///   - bus: Where bluetoothd is, when it is on another bus than the system's.
    ///   - hold: Ends the scan before its time when it hangs up.
    package static func run(
        via controller: BluetoothController, for span: TimeSpan, on bus: Bus.Place = .system,
        hold: BluetoothHolds.Hold = .init(), heard: @escaping @Sendable (BluetoothNeighbor) -> Void
    ) throws(LinkError) {
        var limits = BluetoothCentral.Limits()
        limits.scanning = span
        let address = LinkAddress.controller(controller)
        let plan = try BluetoothWayPlan(
            controller, .nobody, passkey: BluetoothRadio.defaultPIN, for: address, limits: limits, bus: bus)
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let ended = eventLoop.makePromise(of: Void.self)
        do {
            _ = try BluetoothHolds.take(plan, as: hold, until: ended)
            try eventLoop.flatSubmit {
                let scan = NIOLoopBound(
                    BluetoothScan(plan, ended: ended, on: eventLoop, heard: heard), eventLoop: eventLoop)
                hold.isLeft(by: { eventLoop.execute { scan.value.hangUp() } })
                return scan.value.begin()
            }.wait()
        } catch {
            throw LinkError(error, at: address)
        }
    }

    private func begin() -> EventLoopFuture<Void> {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        way.report = { this.value.happened($0) }
        way.open { .start + this.value.alarm.now }.whenFailure { this.value.end($0) }
        return result.futureResult
    }

    private func happened(_ event: BluetoothWayEvent) {
        switch event {
        case .found(let neighbor): heard(neighbor)
        case .settled: alarm.set(way.deadline.map { $0 - .start }) { [weak self] in self?.way.expire() }
        case .ended(let error): end(error)
        case .ready, .frame: break
        }
    }

    private func hangUp() {
        guard !isOver else { return }
        way.hangUp()
        // The way is not there yet.
        if way.isIdle { end(BluetoothCentral.Failure.hungUp) }
    }

    private func end(_ error: any Error) {
        guard !isOver else { return }
        isOver = true
        alarm.set(nil) {}
        // Its time is over.
        if case .hungUp? = error as? BluetoothCentral.Failure { result.succeed() } else { result.fail(error) }
        way.close().recover { _ in }.cascade(to: ended)
    }
}
