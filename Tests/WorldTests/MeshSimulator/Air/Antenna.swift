import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime

/// A listener and its neighbours, who send at chosen moments with chosen strengths: a laboratory for rules of the air.
struct Antenna {
    /// A frame of a neighbour.
    struct Shot {
        /// Signal to noise ratio at the listener, in 1/100 dB.
        var snr: Int
        /// In symbols of the listener's spreading factor from the beginning.
        var begin: Double = 0
        var bytes = 10
        var spreadingFactor: UInt8?
        var partsPerMillion: Int32 = 0
    }

    /// The knowledge of the listener afterwards.
    struct Outcome: Equatable {
        /// Neighbours whose frame it received, in their order.
        var received: [Int] = []
        var losses: [RxLoss] = []
        var signals: [Signal] = []
    }

    var air = AirModel()
    var radio = LoRaParameters()
    /// Thermal noise in 62.5 kHz with a noise figure of 6 dB, in 1/100 dBm.
    var noise = -12_000
    var listenerPartsPerMillion: Int32 = 0

    var symbolMicroseconds: Int64 { Airtime(radio).symbolMicroseconds }

    /// All frames once; other seeds draw other noise.
    func hear(_ shots: [Shot], seed: UInt64 = 1) -> Outcome {
        var world = World(seed: Seed(seed), air: air, traceCapacity: .max)
        func add(_ label: String, _ radio: LoRaParameters, _ partsPerMillion: Int32) -> NodeID {
            var node = NodeDescription(label, .guest { Parrot($0) })
            node.board.radio = radio
            node.carrierOffsetPartsPerMillion = partsPerMillion
            return world.add(node)
        }
        let listener = add("listener", radio, listenerPartsPerMillion)
        var senders: [NodeID] = []
        for (index, shot) in shots.enumerated() {
            var own = radio
            own.spreadingFactor = shot.spreadingFactor ?? radio.spreadingFactor
            senders.append(add("s\(index)", own, shot.partsPerMillion))
            world.links[senders[index], listener] = Signal(
                snrHundredths: Int16(shot.snr), rssiHundredths: Int16(shot.snr + noise))
        }
        let times = shots.map { Instant.microseconds(Int64($0.begin * Double(symbolMicroseconds))) }
        for index in shots.indices.sorted(by: { (times[$0], $0) < (times[$1], $1) }) {
            world.run(until: times[index])
            let bytes = [0, UInt8(index)] + [UInt8](repeating: 7, count: shots[index].bytes - 1)
            world.inject(.appBytes(bytes), into: senders[index])
        }
        world.run(until: .seconds(60))
        return Self.outcome(world.takeTrace(), at: listener, senders)
    }

    private static func outcome(_ trace: [TraceRecord], at listener: NodeID, _ senders: [NodeID]) -> Outcome {
        var outcome = Outcome()
        var frames: [UInt64: Int] = [:]
        for record in trace {
            switch record.event {
            case .txBegin(let frame, _, _): frames[frame] = senders.firstIndex(of: record.node)
            case .rxEnd(let frame, let signal) where record.node == listener:
                if let sender = frames[frame] { outcome.received.append(sender) }
                outcome.signals.append(signal)
            case .rxDrop(_, let loss, _) where record.node == listener: outcome.losses.append(loss)
            default: break
            }
        }
        outcome.received.sort()
        return outcome
    }

    /// The share of frames of one neighbour that are lost at an SNR in 1/100 dB.
    func loss(snr: Int, bytes: Int = 10, of count: Int = 1000) -> Double {
        var world = World(seed: Seed(1), air: air)
        for label in ["sender", "listener"] {
            var node = NodeDescription(label, .guest { Parrot($0) })
            node.board.radio = radio
            world.add(node)
        }
        let (sender, listener) = (NodeID(index: 0), NodeID(index: 1))
        world.links[sender, listener] = Signal(snrHundredths: Int16(snr), rssiHundredths: Int16(snr + noise))
        for _ in 0..<count {
            world.inject(.appBytes([UInt8](repeating: 0, count: bytes + 1)), into: sender)
            world.run(until: world.now + .seconds(60))
            _ = world.takeOutputs()
        }
        return 1 - Double(world.statistics.receptions) / Double(count)
    }
}
