import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime

/// A node that sends what its client writes and reports receptions to its client.
///
/// First byte of a client's write: 0 transmits the rest, 1 restarts the board, 2 stores the rest in flash. 3 asks
/// whether the radio is receiving, 4 tunes to the frequency in the second byte. 5 transmits the rest 10 ms later, 6
/// asks for a pass at once, forever.
struct Parrot: GuestNode {
    var nextWake = Instant.never
    var flash: Flash
    private var later: [UInt8] = []
    private var isRestless = false

    init(_ boot: BootRecord) {
        flash = boot.flash
    }

    mutating func handle(_ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]) {
        switch input {
        case .heard(let frame, _): effects.append(.appBytes([UInt8(ascii: "h")] + frame.bytes))
        case .heardPacket: preconditionFailure("guests are given frames")
        case .receiveError: effects.append(.appBytes([UInt8(ascii: "e")]))
        case .transmitDone: effects.append(.appBytes([UInt8(ascii: "d")]))
        case .appConnected: effects.append(.appBytes([UInt8(ascii: "c")]))
        case .appDisconnected, .bridge, .atInterface: break
        case .appBytes(let bytes): obey(bytes, now, radio, &effects)
        case .woke: wake(now, &effects)
        }
    }

    private mutating func obey(_ bytes: [UInt8], _ now: Instant, _ radio: RadioStatus, _ effects: inout [NodeEffect]) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first {
        case 0: effects.append(.transmit(RadioFrame(rest)))
        case 1: effects.append(.reboot)
        case 2:
            if flash.write(rest, to: "/note") { effects.append(.flash(.wrote(path: "/note", bytes: rest))) }
        case 3: effects.append(.appBytes([UInt8(ascii: radio.isReceiving ? "r" : "q")]))
        case 4: effects.append(.tune(LoRaParameters(frequencyKilohertz: 868_000 + UInt32(rest[0]))))
        case 5:
            later = rest
            nextWake = now + .milliseconds(10)
        default:
            isRestless = true
            nextWake = now
        }
    }

    private mutating func wake(_ now: Instant, _ effects: inout [NodeEffect]) {
        if isRestless {
            nextWake = now
        } else if now >= nextWake {
            nextWake = .never
            effects.append(.transmit(RadioFrame(later)))
        }
    }
}

extension World {
    /// Parrots a, b, c, … that all hear each other at −80 dBm.
    static func parrots(_ count: Int, seed: UInt64 = 1, air: AirModel = AirModel()) -> World {
        var world = World(seed: Seed(seed), air: air, traceCapacity: 10_000)
        for index in 0..<count {
            world.add(NodeDescription(String(UnicodeScalar(UInt8(97 + index))), .guest { Parrot($0) }))
        }
        for sender in world.nodes {
            for listener in world.nodes where listener != sender { world.links[sender, listener] = .strong }
        }
        return world
    }

    mutating func send(_ bytes: [UInt8], from node: Int) {
        inject(.appBytes([0] + bytes), into: NodeID(index: node))
    }

    /// Returns the reports to the client of a node, as text: `hX` heard X, `d` done, `e` bad checksum.
    mutating func takeTold(_ node: Int) -> [String] {
        takeOutputs().compactMap { output in
            guard output.node.index == node, case .appBytes(let bytes) = output.kind else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    func losses(at node: Int) -> [RxLoss] {
        trace.records.compactMap { record in
            guard record.node.index == node, case .rxDrop(_, let reason, _) = record.event else { return nil }
            return reason
        }
    }
}

extension Signal {
    static let strong = Signal(snrHundredths: 1000, rssiHundredths: -8000)
    static let weak = Signal(snrHundredths: 400, rssiHundredths: -8600)
    static let slightlyWeak = Signal(snrHundredths: 401, rssiHundredths: -8599)
}
