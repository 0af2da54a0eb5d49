import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

/// Meshes of real cores, driven through the serial port of their companions.
extension World {
    /// A line or a grid of repeaters with companions at both ends, 8 dB everywhere; settled, all quiet.
    static func mesh(
        _ columns: Int, _ rows: Int = 1, seed: UInt64 = 1, trace: Int = 0, checks: Bool = true, isQuiet: Bool = true
    ) -> World {
        var world = World(seed: Seed(seed), traceCapacity: trace, checks: checks)
        var setup = ServerSetup(.repeater, board: .heltecV3)
        if isQuiet { setup.silenceAdverts() }
        let count = columns * rows
        for index in 0..<count {
            let isEnd = index == 0 || index == count - 1
            world.add(NodeDescription("n\(index)", isEnd ? .companion(.serial) : .repeater, setup: setup))
        }
        for index in 0..<count {
            let link = AirLink(Signal(snrHundredths: 800, rssiHundredths: -8000))
            if index % columns + 1 < columns {
                world.links.connect(NodeID(index: index), NodeID(index: index + 1), link)
            }
            if index + columns < count {
                world.links.connect(NodeID(index: index), NodeID(index: index + columns), link)
            }
        }
        return world
    }

    /// One frame of the app.
    mutating func command(_ frame: [UInt8], to node: Int) {
        inject(.appBytes([0x3C, UInt8(frame.count), 0] + frame), into: NodeID(index: node))
    }

    /// SEND_CHANNEL_TXT_MSG on the public channel.
    mutating func sendChannelText(_ text: String, from node: Int) {
        let time = UInt32(1_800_000_000) + UInt32(now.microseconds / 1_000_000)
        command([3, 0, 0] + time.wireBytes + Array(text.utf8), to: node)
    }

    /// SEND_SELF_ADVERT by flood.
    mutating func sendAdvert(from node: Int) { command([7, 1], to: node) }

    /// SEND_TXT_MSG to a contact.
    mutating func sendText(_ text: String, from node: Int, to other: Int) {
        guard let key = companion(NodeID(index: other))?.publicKey else { return }
        let time = UInt32(1_800_000_000) + UInt32(now.microseconds / 1_000_000)
        command([2, 0, 0] + time.wireBytes + key.prefix(6) + Array(text.utf8), to: node)
    }

    func reports(_ isWanted: (NodeEvent) -> Bool) -> Int {
        trace.records.count {
            if case .reported(let event) = $0.event { isWanted(event) } else { false }
        }
    }
}

/// A small mesh, its traffic and its faults, all drawn from one number.
struct Soak {
    private var random: RandomStream
    var world: World

    init(seed: UInt64, checks: Bool = true) {
        random = Seed(seed).stream("soak")
        var air = AirModel()
        air.fading = Fading(deviationHundredths: Int(random.draw(0, 2)) * 300)
        world = World(seed: Seed(seed), air: air, checks: checks)
        let count = Int(random.draw(4, 11))
        for index in 0..<count {
            var description = NodeDescription(
                "n\(index)", index < 2 || random.draw(0, 3) == 0 ? .companion(.serial) : .repeater)
            description.clockSkewPartsPerMillion = Int32(random.draw(0, 100)) - 50
            world.add(description)
        }
        connect(count)
        for _ in 0..<random.draw(1, 8) { world.schedule(drawFault(count)) }
    }

    private mutating func connect(_ count: Int) {
        for one in 0..<count {
            for other in (one + 1)..<max(one + 1, count) where other == one + 1 || random.draw(0, 3) == 0 {
                let snr = Int16(random.draw(0, 3000)) - 1500
                let signal = Signal(snrHundredths: snr, rssiHundredths: snr - 12000)
                world.links.connect(
                    NodeID(index: one), NodeID(index: other),
                    AirLink(signal, lossPerTenThousand: UInt16(random.draw(0, 3) * 300)))
            }
        }
    }

    private mutating func drawFault(_ count: Int) -> Fault {
        let node = NodeID(index: Int(random.draw(0, UInt32(count))))
        let other = NodeID(index: (node.index + 1) % count)
        let share = Int(random.draw(0, 5000))
        let kinds: [Fault.Kind] = [
            .loss(perTenThousand: share), .loss(perTenThousand: share, from: node, to: other),
            .partition([node, other]), .deafness(node), .crash(node), .reboot(node),
            .reboot(node, keepingFlash: false), .clockJump(node, seconds: Int32(random.draw(0, 200_000)) - 100_000),
            .flashFailure(node), .corruption(perTenThousand: share),
            .corruption(perTenThousand: share, from: node, passesChecksum: true),
            .replay(near: node, perTenThousand: share, after: .milliseconds(random.draw(1, 60_000))),
            .link(from: node, to: other, nil),
        ]
        let begin = Instant.seconds(random.draw(0, 200))
        return Fault(
            kinds[Int(random.draw(0, UInt32(kinds.count)))], from: begin, to: begin + .seconds(random.draw(1, 100)))
    }

    /// Lets companions talk now and then, for as long as given.
    mutating func run(seconds: Int) {
        let companions = world.nodes.filter { world.companion($0) != nil }.map(\.index)
        let end = world.now + .seconds(seconds)
        while world.now < end {
            world.run(until: min(end, world.now + .milliseconds(random.draw(100, 12_000))))
            let node = companions[Int(random.draw(0, UInt32(companions.count)))]
            let other = companions[Int(random.draw(0, UInt32(companions.count)))]
            switch random.draw(0, 4) {
            case 0: world.sendAdvert(from: node)
            case 1: world.sendChannelText("hello \(world.now)", from: node)
            default: if other != node { world.sendText("hi \(world.now)", from: node, to: other) }
            }
            _ = world.takeOutputs()
        }
    }
}
