package import MeshBluetoothHost
package import MeshFiles
import MeshSimulator
package import MeshTime
package import MeshTransports

// The modelled Bluetooth below the links of apps: its costs, the PINs that users type, and its faults.
extension LoopbackWorld {
    /// Costs of the Bluetooth link of a radio so far, since somebody connected to it first.
    package func airUse(of label: String) -> AirUse? { air(of: label)?.use }

    /// Limits of the Bluetooth link of a radio now; `nil` without one.
    package func airLimit(of label: String) -> RequestResponseLimit? { air(of: label)?.limit }

    private func air(of label: String) -> RadioAir? {
        loop.driver.world.node(labelled: label).flatMap { loop.driver.air(of: ClientID($0)) }
    }

    /// From the next connection on the users of all apps type these six digits; `nil` for those that their radio shows.
    package func type(pin: UInt32?) {
        bluetooth?.pin = pin
        loop.driver.type(pin: pin)
    }

    // MARK: Faults

    /// Arms a fault of the Bluetooth below the link of an app, and returns its number.
    package func arm(_ planned: PlannedLinkFault, of label: String) throws(FileProblem) -> Int {
        guard case .bluetooth(let fault) = planned.kind, let node = loop.driver.world.node(labelled: label) else {
            throw FileProblem(line: 0, field: "fault", reason: "\(planned.kind.name) is no fault of Bluetooth")
        }
        // Its Bluetooth is there before an app dials for the first time.
        if let place = loop.driver.world.appLinks(of: node).firstIndex(of: .bluetooth) {
            let client = ClientID(node, interface: place)
            if !loop.driver.hasEndpoint(client) { attach(client) }
        }
        do {
            return try steer { driver in try driver.arm(fault, of: node, mayNotFire: planned.mayNotFire) }
        } catch {
            throw FileProblem(line: 0, field: "fault", reason: "\(error)")
        }
    }

    /// Takes a fault back; what it did stays readable.
    package func disarm(_ number: Int, of label: String) {
        guard let node = loop.driver.world.node(labelled: label) else { return }
        steer { driver in _ = driver.disarm(number, of: node) }
    }

    /// Returns the effects of a fault so far.
    package func effects(of number: Int, of label: String) -> FaultCount {
        guard let node = loop.driver.world.node(labelled: label) else { return FaultCount() }
        let entries = steer { driver in driver.bluetoothFaults(of: node) }
        return entries.first { $0.number == number }?.count ?? FaultCount()
    }
}
