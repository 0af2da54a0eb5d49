import MeshBluetoothHost
import MeshTransports
import NIOCore

/// A port that is open, and the endpoint as it became.
struct OpenPort {
    let port: any AppPort
    /// With the port number that the system chose.
    let endpoint: NodeEndpoint

    /// Facts that the port of a controller needs.
    struct Bluetooth: Sendable {
        let radio: RadioIdentity
        let bonds: BondFile?
        /// The faults that it has from the start.
        var faults: [BluetoothFault] = []
    }

    /// Opens the port of an endpoint; fails with a `LinkError` or an `EmulatorError`.
    static func open(
        _ endpoint: NodeEndpoint, bluetooth: Bluetooth? = nil, owner: NIOLoopBound<any PortOwner>
    ) -> EventLoopFuture<NIOLoopBound<OpenPort>> {
        let label = endpoint.label
        // A board writes whether anybody reads or not; a modem waits.
        let reportsRoom = endpoint.service == .modem
        switch endpoint.endpoint {
        case .tcp(let host, let port):
            return TCPPort.open(host: host, port: port, label: label, owner: owner).map { opened in
                opened.value.reportsRoom = reportsRoom
                let actual = endpoint.opened(at: opened.value.address)
                return NIOLoopBound(OpenPort(port: opened.value, endpoint: actual), eventLoop: owner.eventLoop)
            }
        case .pty(let path):
            return TerminalPort.open(path: path, label: label, owner: owner).map { opened in
                opened.value.reportsRoom = reportsRoom
                return NIOLoopBound(OpenPort(port: opened.value, endpoint: endpoint), eventLoop: owner.eventLoop)
            }
        case .controller:
            guard let bluetooth else { fallthrough }
            return bluetooth.open(endpoint.endpoint, label: label, owner: owner).map { opened in
                NIOLoopBound(OpenPort(port: opened.value, endpoint: endpoint), eventLoop: owner.eventLoop)
            }
        case .serial, .remote, .bluetooth:
            return owner.eventLoop.makeFailedFuture(LinkError.noListener(endpoint.endpoint))
        }
    }
}

extension OpenPort.Bluetooth {
    /// Opens the port of a board on the controller at this address, or on one that bluetoothd keeps.
    func open(
        _ address: LinkAddress, label: String, owner: NIOLoopBound<any PortOwner>,
        machine: DesktopRadio.Machine = .init()
    ) -> EventLoopFuture<NIOLoopBound<any AppPort>> {
        let radio = radio
        let ledger: BluetoothFaultLedger
        do {
            ledger = try self.ledger(at: address)
        } catch {
            return owner.eventLoop.makeFailedFuture(EmulatorError.notStarted(reason: "node \"\(label)\": \(error)"))
        }
        guard case .controller(.desktop(let number)) = address else {
            return BluetoothPort<ControllerBearer>.open(address, label: label, bonds: bonds, owner: owner) { known in
                RadioPeripheral(radio, known: known, faults: ledger)
            } bearer: { eventLoop, report in
                ControllerBearer(address, eventLoop: eventLoop, report: report)
            }
        }
        return BluetoothPort<DesktopRadio>.open(address, label: label, bonds: bonds, owner: owner) { _ in
            RadioPeripheral(onSockets: radio, faults: ledger)
        } bearer: { eventLoop, report in
            DesktopRadio(number ?? 0, address, on: machine, eventLoop: eventLoop, report: report)
        }
    }

    /// The faults from the start, numbered from 1.
    private func ledger(at address: LinkAddress) throws(BluetoothFaultLedger.Refusal) -> BluetoothFaultLedger {
        var ownsController = true
        if case .controller(.desktop) = address { ownsController = false }
        var ledger = BluetoothFaultLedger()
        for (place, fault) in faults.enumerated() {
            try ledger.arm(fault, number: place + 1, ownsController: ownsController)
        }
        return ledger
    }
}
