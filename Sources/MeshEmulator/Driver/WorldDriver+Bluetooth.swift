package import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshFiles
import MeshFirmware
package import MeshSimulator
import MeshTime
import MeshTransports

// Faults of the Bluetooth between a node and its client: armed from outside, or over the link itself.
extension WorldDriver {
    /// Tells whether a node's client has a link over Bluetooth, modelled or real.
    package func hasBluetooth(_ node: NodeID) -> Bool { place(of: node).flatMap(bluetooth(at:)) != nil }

    /// Returns the faults that the Bluetooth of a node was given, with their counts.
    package func bluetoothFaults(of node: NodeID) -> [BluetoothFaultLedger.Entry] {
        place(of: node).flatMap(bluetooth(at:))?.entries ?? []
    }

    /// Arms a fault of a node's Bluetooth, and returns its number.
    ///
    /// - Parameter mayNotFire: whether a run in which it does nothing is valid all the same.
    @discardableResult
    package mutating func arm(
        _ fault: BluetoothFault, of node: NodeID, mayNotFire: Bool = false
    ) throws(BluetoothFaultLedger.Refusal) -> Int {
        guard let place = place(of: node), let state = bluetooth(at: place) else { throw .noBluetooth }
        let number = (state.entries.map(\.number).max() ?? 0) + 1
        if course.links[place].bluetooth != nil {
            try course.links[place].bluetooth?.air.arm(fault, number: number)
        } else {
            // The link is the shell's, which arms it with the next effects.
            var ledger = BluetoothFaultLedger(state.entries)
            try ledger.arm(fault, number: number, ownsController: state.ownsController)
            seats[place].state.bluetooth?.entries = ledger.entries
            emit(.arm(fault, number: number, of: node))
        }
        if mayNotFire { course.links[place].mayNotFire.append(number) }
        return number
    }

    /// Takes a fault of a node's Bluetooth back, or all of them; false when there is none of this number.
    @discardableResult
    package mutating func disarm(_ number: Int?, of node: NodeID) -> Bool {
        guard let place = place(of: node), let state = bluetooth(at: place) else { return false }
        guard let number else {
            for entry in state.entries { disarm(entry.number, of: node) }
            return true
        }
        guard state.entries.contains(where: { $0.number == number }) else { return false }
        course.links[place].mayNotFire.removeAll { $0 == number }
        if course.links[place].bluetooth != nil {
            _ = course.links[place].bluetooth?.air.disarm(number, at: course.world.now)
            attend(place)
        } else {
            seats[place].state.bluetooth?.entries.removeAll { $0.number == number }
            emit(.disarm(number, of: node))
        }
        return true
    }

    private func bluetooth(at place: Int) -> BluetoothLinkState? {
        guard let link = course.links[place].bluetooth else { return seats[place].state.bluetooth }
        return BluetoothLinkState(ownsController: true, entries: link.air.faults.entries)
    }

    /// The faults of Bluetooth that did nothing and had to, in words.
    var idleBluetoothFaults: [String] {
        seats.indices.flatMap { place in
            let idle = bluetooth(at: place)?.entries.filter { entry in
                !entry.count.hasFired && !course.links[place].mayNotFire.contains(entry.number)
            }
            let label = course.world.label(of: seats[place].node)
            return (idle ?? []).map { "fault \($0.number) of \(label), \($0.fault): it never took effect" }
        }
    }

    // MARK: Over the link itself

    /// Takes the bench's commands out of what a client has written, and answers them; the rest is for the node.
    mutating func withoutJig(_ input: NodeInput.App, of node: NodeID) -> NodeInput.App? {
        guard settings.hasJig, let place = place(of: node), course.world.companion(node) != nil else { return input }
        guard case .bytes(let bytes) = input else {
            course.links[place].jig?.reset()
            return input
        }
        let isStream = seats[place].link != .ble && course.links[place].bluetooth == nil
        var reader = course.links[place].jig ?? JigReader(isStream: isStream)
        let (passed, commands) = reader.split(bytes)
        course.links[place].jig = reader
        for command in commands { writeFrame(answer(command, of: node), to: place, isStream: isStream) }
        return passed.isEmpty && !commands.isEmpty ? nil : .bytes(passed)
    }

    private mutating func answer(_ command: JigCommand, of node: NodeID) -> [UInt8] {
        switch command {
        case .version: return JigCommand.versionAnswer(armed: bluetoothFaults(of: node).count)
        case .arm(let text): return arm(text, of: node)
        case .read(let number):
            guard let entry = bluetoothFaults(of: node).first(where: { $0.number == number }),
                let text = try? JigReading(entry).jsonText(inOneLine: true)
            else { return JigCommand.refusal(.notFound, "there is no fault \(number)") }
            return JigCommand.readAnswer(text)
        case .disarm(let number):
            guard disarm(number, of: node) else {
                return JigCommand.refusal(.notFound, "there is no fault \(number ?? 0)")
            }
            return JigCommand.disarmedAnswer(number)
        case .unknown: return JigCommand.refusal(.unsupportedCmd)
        }
    }

    private mutating func arm(_ text: [UInt8], of node: NodeID) -> [UInt8] {
        do {
            let fields = try JSONFields(reading: text)
            let fault = try BluetoothFault(fields, beside: ["mayNotFire"])
            let mayNotFire = try fields.bool("mayNotFire") ?? false
            return JigCommand.armedAnswer(try arm(fault, of: node, mayNotFire: mayNotFire))
        } catch let problem as FileProblem {
            let field = problem.field.isEmpty ? "" : "\(problem.field) "
            return JigCommand.refusal(.illegalArg, field + problem.reason)
        } catch {
            return JigCommand.refusal(.illegalArg, "\(error)")
        }
    }

    /// Writes a frame of the bench to a client, as a frame of its radio is written.
    private mutating func writeFrame(_ frame: [UInt8], to place: Int, isStream: Bool) {
        guard course.links[place].bluetooth != nil else {
            guard isStream else { return write(frame, to: place) }
            if let bytes = StreamFraming.encode(toApp: frame) { write(bytes, to: place) }
            return
        }
        course.links[place].bluetooth?.handle(.appBytes(frame), nil, at: course.world.now)
        attend(place)
    }
}
