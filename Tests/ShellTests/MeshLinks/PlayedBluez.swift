import MeshBluetoothHost
import MeshBus
import MeshTestSupport
import Synchronization

@testable import MeshTransports

/// bluetoothd with one radio in range, on a bus of the test's own. The radio sends back what is written, behind a mark.
final class PlayedBluez: Sendable {
    private struct State {
        /// The caller that registered the agent.
        var agent = ""
        var isPaired = false
        var called: [String] = []
    }

    static let echo: UInt8 = 0xEE

    private let pin: UInt32
    private let connection = Mutex<Bus?>(nil)
    private let state = Mutex(State())

    init(on bus: PrivateBus, pin: UInt32) throws {
        self.pin = pin
        let opened = try Bus(.address(bus.address)) { [weak self] event in
            guard let self, case .call(let call) = event, let bus = self.connection.withLock({ $0 }) else { return }
            self.state.withLock { $0.called.append(call.method) }
            self.answer(call, on: bus)
        }
        connection.withLock { $0 = opened }
        try opened.own(DesktopNames.service)
    }

    /// Methods that were called.
    var called: [String] { state.withLock { $0.called } }
    var isPaired: Bool { state.withLock { $0.isPaired } }

    /// Leaves the bus.
    func stop() {
        let bus = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        try? bus?.release(DesktopNames.service)
    }

    private func answer(_ call: BusCall, on bus: Bus) {
        switch call.method {
        case "GetManagedObjects": bus.answer(call, [objects])
        case "RegisterAgent":
            state.withLock { $0.agent = call.sender }
            bus.answer(call)
        case "StartDiscovery":
            bus.answer(call)
            add(DesktopBench.object(DesktopBench.device, DesktopNames.device, DesktopBench.radio()), on: bus)
        case "Connect":
            change(DesktopBench.device, DesktopNames.device, ["Connected": .boolean(true)], on: bus)
            bus.answer(call)
            for object in DesktopBench.services() { add(object, on: bus) }
            change(DesktopBench.device, DesktopNames.device, ["ServicesResolved": .boolean(true)], on: bus)
        case "Pair": pair(call, on: bus)
        case "WriteValue":
            bus.answer(call)
            let echo = [Self.echo] + (call.arguments.first?.octets ?? [])
            change(DesktopBench.transmit, DesktopNames.characteristic, ["Value": .bytes(echo)], on: bus)
        case "Disconnect":
            change(DesktopBench.device, DesktopNames.device, ["Connected": .boolean(false)], on: bus)
            bus.answer(call)
        case "RemoveDevice":
            state.withLock { $0.isPaired = false }
            bus.answer(call)
        default: bus.answer(call)
        }
    }

    private var objects: BusValue {
        let known = DesktopBench.object(
            DesktopBench.device, DesktopNames.device, DesktopBench.radio(isPaired: true, signal: nil))
        return DesktopBench.tree([DesktopBench.adapterObject()] + (isPaired ? [known] : []))
    }

    private func pair(_ call: BusCall, on bus: Bus) {
        let agent = state.withLock { $0.agent }
        let request = BusRequest(
            agent, DesktopCentral.agentPath, DesktopNames.agent, "RequestPasskey", [.objectPath(DesktopBench.device)])
        bus.send(request) { [weak self] answer in
            guard let self, let bus = self.connection.withLock({ $0 }) else { return }
            guard case .success(let values) = answer, values == [.uint32(self.pin)] else {
                return bus.refuse(
                    call, name: DesktopNames.errors + "AuthenticationFailed", text: "Authentication Failed")
            }
            self.state.withLock { $0.isPaired = true }
            self.change(DesktopBench.device, DesktopNames.device, ["Paired": .boolean(true)], on: bus)
            bus.answer(call)
        }
    }

    private func add(_ object: BusValue, on bus: Bus) {
        guard case .entry(let path, let interfaces) = object else { return }
        bus.emit("/", DesktopNames.manager, "InterfacesAdded", [path, interfaces])
    }

    private func change(
        _ path: String, _ interface: String, _ values: [String: BusValue], on bus: Bus
    ) {
        bus.emit(
            path, DesktopNames.properties, "PropertiesChanged",
            [.string(interface), DesktopBench.variants(values), .strings([])])
    }
}
