import MeshFirmware
import MeshSimulator
import MeshTime

/// Sends back what its client writes.
struct Echo: GuestNode {
    let flash = Flash()
    let nextWake = Instant.never

    mutating func handle(_ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]) {
        if case .appBytes(let bytes) = input { effects.append(.appBytes(bytes)) }
    }
}

/// Says 100 bytes every second, listened to or not.
struct Talker: GuestNode {
    let flash = Flash()
    var nextWake = Instant.start

    mutating func handle(_ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]) {
        guard now >= nextWake else { return }
        nextWake = now + .seconds(1)
        effects.append(.appBytes([UInt8](repeating: 0x2E, count: 100)))
    }
}
