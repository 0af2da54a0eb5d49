import MeshBluetoothHost
import MeshFirmware
import MeshTime
import Testing

@testable import MeshEmulator

/// Faults of a radio over Bluetooth against our own central: each fires, is noticed when it does not, and is got over.
@Suite struct FaultyRadioTests {
    /// The first number at which a kind can take effect: keys and services are known from an earlier connection.
    private static func fault(_ kind: BluetoothFault.Kind, at operation: BluetoothFault.Operation? = nil)
        -> BluetoothFault
    {
        var fault = BluetoothFault(kind, at: operation)
        switch kind {
        case .keyRefused, .wrongKey, .bondLost, .servicesMoved, .design: fault.number = 2
        default: break
        }
        // Lasting ones end, so that something can be got over.
        if kind.usualTimes > 1, fault.operation != .notification { fault.times = 1 }
        return fault
    }

    /// Kinds that need more than the two frames of a session, each with a test of its own.
    private static let special: [BluetoothFault.Kind] = [
        .design(.noPasskey), .design(.staysAfterFailure), .design(.executesUnproven), .design(.cutsLongValues),
        .design(.advertisesAtOnce), .design(.keepsFrames),
        .connectionParameters(interval: .seconds(1), latency: 0, timeout: .seconds(6)),
    ]

    private static let ordinary = BluetoothFault.Kind.examples.filter { !special.contains($0) }

    @Test(arguments: ordinary, [BluetoothTraits.nrf52, .esp32])
    func `a fault fires, and our central gets over it`(kind: BluetoothFault.Kind, traits: BluetoothTraits) throws {
        var bench = FaultyRadioBench(traits)
        try bench.arm(Self.fault(kind))

        var outcomes = bench.sessions()
        // The first connection may be without the fault.
        if !bench.count().hasFired { outcomes += bench.sessions() }
        let count = bench.count()
        bench.disarm()
        let after = bench.sessions(atMost: 2)

        #expect(count.hasFired, "\(kind): \(outcomes)")
        #expect(after.last == .worked, "\(kind): \(outcomes), then \(after)")
    }

    private static let requests: [BluetoothFault.Operation] = [.mtu, .discovery, .subscription, .write]
    private static let phases = requests + [.connection, .pairing, .encryption, .notification]

    @Test(arguments: requests, [BluetoothTraits.nrf52, .esp32])
    func `an error, silence or delay at any request is counted and got over`(
        operation: BluetoothFault.Operation, traits: BluetoothTraits
    ) throws {
        for kind in [BluetoothFault.Kind.attributeError(0x0E), .noAnswer, .lateAnswer(by: .seconds(2))] {
            var bench = FaultyRadioBench(traits)
            try bench.arm(BluetoothFault(kind, at: operation))

            let outcomes = bench.sessions()

            #expect(bench.count().times == 1, "\(kind) at \(operation)")
            #expect(outcomes.last == .worked, "\(kind) at \(operation): \(outcomes)")
        }
    }

    @Test(arguments: phases, [BluetoothTraits.nrf52, .esp32])
    func `a link that dies or is ended in any phase comes back`(
        operation: BluetoothFault.Operation, traits: BluetoothTraits
    ) throws {
        for kind in [BluetoothFault.Kind.linkLost(for: .seconds(6)), .disconnect(0x15)] {
            var bench = FaultyRadioBench(traits)
            try bench.arm(BluetoothFault(kind, at: operation))

            let outcomes = bench.sessions()

            #expect(bench.count().times == 1, "\(kind) at \(operation)")
            #expect(outcomes.count == 2 && outcomes.last == .worked, "\(kind) at \(operation): \(outcomes)")
            guard case .ended(.disconnected(let reason))? = outcomes.first else {
                Issue.record("\(kind) at \(operation): \(outcomes)")
                continue
            }
            #expect(reason == (kind == .disconnect(0x15) ? 0x15 : 0x08))
        }
    }

    @Test func `silence at a pairing or an encryption ends, and the next attempt works`() throws {
        for operation in [BluetoothFault.Operation.pairing, .encryption] {
            var bench = FaultyRadioBench()
            try bench.arm(BluetoothFault(.noAnswer, at: operation))

            let outcomes = bench.sessions()

            #expect(bench.count().times == 1 && outcomes.count == 2 && outcomes.last == .worked, "\(outcomes)")
        }
    }

    // MARK: What does not happen

    @Test(arguments: BluetoothFault.Kind.examples)
    func `a fault whose occasion never comes has done nothing`(kind: BluetoothFault.Kind) throws {
        var fault = BluetoothFault(kind)
        fault.number = 500
        var bench = FaultyRadioBench()
        try bench.arm(fault)

        #expect(bench.session() == .worked)

        #expect(!bench.count().hasFired)
    }

    @Test func `a fault that meets nothing of its kind has done nothing`() throws {
        var bench = FaultyRadioBench()
        // No bond is there to be lost in the first connection, and no name has more than 28 bytes.
        try bench.arm(BluetoothFault(.bondLost), number: 1)
        try bench.arm(BluetoothFault(.nameCut(bytes: 28)), number: 2)
        try bench.arm(BluetoothFault(.design(.staysAfterFailure), number: 0), number: 3)

        #expect(bench.session() == .worked)

        #expect((1...3).allSatisfy { !bench.count($0).hasFired })
    }

    @Test func `parameters that the central has not set in time do not count`() throws {
        let starving = BluetoothFault.Kind.connectionParameters(
            interval: .seconds(1), latency: 0, timeout: .seconds(6))
        var bench = FaultyRadioBench(.esp32)
        try bench.arm(BluetoothFault(starving, at: .write), number: 1)
        #expect(bench.session() == .worked)
        #expect(!bench.count(1).hasFired)

        try bench.arm(BluetoothFault(starving, at: .connection), number: 2)
        #expect(bench.session() == .worked)
        #expect(bench.count(2).times == 1)
    }

    @Test func `a radio without faults draws and does what it did before there were any`() {
        var (bench, other) = (FaultyRadioBench(), FaultyRadioBench())
        try? other.arm(BluetoothFault(.indication, number: 60_000))

        #expect(bench.sessions() == other.sessions())
        #expect(bench.now == other.now && bench.values == other.values && bench.inputs == other.inputs)
    }

    // MARK: Single kinds

    @Test func `a central believes a lie about the longest packet, and gets shorter values`() throws {
        var bench = FaultyRadioBench()
        try bench.arm(BluetoothFault(.mtuLie(told: 517, used: 40), times: 1))

        _ = bench.session()

        #expect(bench.mtu == 517)
        #expect(bench.values.map(\.count).max() == 37)
    }

    @Test func `values that nobody subscribed to come before the subscription is answered`() throws {
        var bench = FaultyRadioBench()
        try bench.arm(BluetoothFault(.earlyNotification([0x83, 7], count: 3)))
        bench.dial()
        bench.run(for: .seconds(60)) { $0.mtu != nil }

        #expect(bench.count().frames == 3)
    }

    @Test func `bunched notifications come at one moment, and count as one bunch`() throws {
        var bench = FaultyRadioBench(.esp32)
        try bench.arm(BluetoothFault(.bunchedNotifications(3, within: .seconds(20))))
        bench.dial()
        bench.run(for: .seconds(60)) { $0.mtu != nil }
        for number in UInt8(1)...2 { bench.notify([number]) }
        bench.pass(.seconds(5))
        #expect(bench.values.isEmpty)

        bench.notify([3])
        bench.pass(.seconds(1))
        #expect(bench.values == [[1], [2], [3]])
        #expect((bench.count().times, bench.count().frames) == (1, 3))

        bench.notify([4])
        bench.pass(.seconds(19))
        #expect(bench.values.count == 3)
        bench.pass(.seconds(2))
        #expect(bench.values.last == [4])
    }

    @Test func `slow notifications keep their gap`() throws {
        var bench = FaultyRadioBench(.esp32)
        try bench.arm(BluetoothFault(.slowNotifications(gap: .seconds(2))))
        bench.dial()
        bench.run(for: .seconds(60)) { $0.mtu != nil }

        for number in UInt8(1)...3 { bench.notify([number]) }
        bench.pass(.seconds(1))
        #expect(bench.values.count == 1)
        bench.pass(.seconds(2))
        #expect(bench.values.count == 2)
        bench.pass(.seconds(2))

        #expect(bench.values == [[1], [2], [3]])
        #expect(bench.count().times == 2)
    }

    @Test func `a radio whose address rotates is heard under another one, and then under its own`() throws {
        var bench = FaultyRadioBench()
        let own = FaultyRadioBench.identity(.nrf52).address
        try bench.arm(BluetoothFault(.addressRotates, number: 1, times: 1))

        #expect(bench.session() == .worked)
        let first = bench.heard.map(\.address)
        #expect(bench.session() == .worked)

        #expect(!first.isEmpty && !first.contains(own))
        #expect(bench.heard.map(\.address).contains(own))
    }

    @Test func `an advertisement lacks the service for a time, and has it again without a new beginning`() throws {
        var bench = FaultyRadioBench()
        try bench.arm(BluetoothFault(.serviceNotAdvertised(for: .seconds(8)), times: 1))
        bench.dial()
        bench.pass(.seconds(9))
        #expect(bench.mtu != nil || bench.heard.contains { $0.facts.hasNordicUART })

        #expect(bench.count().times == 1)
    }

    @Test func `a second central hides the radio for its time`() throws {
        var bench = FaultyRadioBench()
        try bench.arm(BluetoothFault(.secondCentral(for: .seconds(5))))
        bench.dial()
        bench.pass(.seconds(4))
        #expect(bench.heard.isEmpty)
        bench.pass(.seconds(5))

        #expect(bench.mtu != nil)
    }

    @Test func `the node learns of a lost link when the silence is over`() throws {
        var bench = FaultyRadioBench()
        try bench.arm(BluetoothFault(.linkLost(for: .seconds(6))))
        bench.dial()
        bench.run(for: .seconds(60)) { $0.mtu != nil }
        let isTaken = bench.write([1])
        #expect(isTaken)
        bench.pass(.seconds(5))
        #expect(!bench.inputs.contains(.disconnected))
        bench.pass(.seconds(2))

        #expect(bench.inputs.last == .disconnected)
        #expect(bench.ending == .disconnected(reason: 0x08))
    }

    @Test func `services that have moved refuse the handles of before`() throws {
        let plain = RadioAttributes(FaultyRadioBench.identity(.nrf52))
        var ledger = BluetoothFaultLedger()
        try ledger.arm(BluetoothFault(.servicesMoved(to: 0x100), number: 0), number: 1)
        let moved = RadioAttributes(FaultyRadioBench.identity(.nrf52), RadioShape(ledger))

        #expect(moved.table[plain.receive] == nil && moved.table[plain.transmit] == nil)
        #expect(moved.receive > 0x100 && moved.receive < moved.transmit)
        let receive = try #require(moved.table[moved.receive])
        #expect(receive.write == .authenticated && receive.properties == plain.table[plain.receive]?.properties)
    }

    @Test func `a board keeps its faults and their counts over a restart and a loss of power`() throws {
        var bench = FaultyRadioBench()
        try bench.arm(BluetoothFault(.design(.serialHeader), number: 1))
        #expect(bench.session() != .worked || bench.count().hasFired)
        let before = bench.count().times

        bench.reboot(losingPower: false)
        _ = bench.session()
        let between = bench.count().times
        bench.reboot(losingPower: true)
        _ = bench.session()

        #expect(before > 0 && between > before && bench.count().times > between)
    }

    // MARK: Kinds that need a story

    @Test func `a long value that is cut counts, and so does a link that stays after a failed pairing`() throws {
        var bench = FaultyRadioBench(.esp32)
        try bench.arm(BluetoothFault(.design(.cutsLongValues), number: 0), number: 1)
        bench.dial()
        bench.run(for: .seconds(60)) { $0.mtu != nil }
        let isTaken = bench.write([0] + Array(repeating: 1, count: 199))
        #expect(isTaken)
        bench.pass(.seconds(5))
        #expect(bench.count(1).times == 1)
        #expect(bench.inputs.last == .bytes([0] + Array(repeating: 1, count: 175)))

        var second = FaultyRadioBench()
        try second.arm(BluetoothFault(.design(.staysAfterFailure), number: 0), number: 1)
        second.passkey = 1
        _ = second.session()
        #expect(second.count(1).times == 1)
    }

    @Test func `an ESP32 that advertises at once counts it`() throws {
        var bench = FaultyRadioBench(.esp32)
        try bench.arm(BluetoothFault(.design(.advertisesAtOnce), number: 0))

        #expect(bench.session() == .worked)
        bench.pass(.seconds(1))

        #expect(bench.count().times == 1)
    }

    // MARK: Kernels

    @Test func `a host on a kernel's controller meets the faults of attributes`() throws {
        var table = ATT.AttributeTable()
        table.addService(.nordicUART)
        table.addCharacteristic(.nordicRX, [.write], write: .open)
        table.addCharacteristic(.nordicTX, [.notify])
        var host = AttributeHost(table, mtu: 247)
        _ = host.start(at: .start)
        try host.faults.arm(BluetoothFault(.attributeError(0x0E), at: .write), number: 1, ownsController: false)
        try host.faults.arm(BluetoothFault(.lateAnswer(by: .seconds(1)), at: .mtu), number: 2, ownsController: false)
        _ = host.take(.opened(1, BluetoothAddress(number: 1, isRandom: false)), at: .start)

        let refused = host.take(.received(1, [0x12, 3, 0, 5], .none), at: .start)
        let late = host.take(.received(1, [0x02, 100, 0], .none), at: .start)
        #expect(host.deadline == .start + .seconds(1))
        let then = host.expire(at: .start + .seconds(1))

        #expect(refused == [.send(.send(1, [0x01, 0x12, 3, 0, 0x0E]))])
        #expect(!late.contains { if case .send = $0 { true } else { false } })
        #expect(then == [.send(.send(1, [0x03, 247, 0]))])
        #expect(host.faults.entries.allSatisfy { $0.count.times == 1 })
    }
}
