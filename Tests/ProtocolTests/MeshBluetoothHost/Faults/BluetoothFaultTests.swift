import MeshTime
import Testing

@testable import MeshBluetoothHost

/// Faults of Bluetooth as values, and the ledger that counts their occasions and effects.
@Suite struct BluetoothFaultTests {
    private typealias Fault = BluetoothFault
    private typealias Ledger = BluetoothFaultLedger

    // MARK: Values

    @Test(arguments: BluetoothFault.Kind.examples)
    func `each kind can happen at each of its operations, and at no other`(kind: BluetoothFault.Kind) {
        for operation in Fault.Operation.allCases {
            let problem = Fault(kind, at: operation).problem
            #expect((problem == nil) == kind.operations.contains(operation), "\(kind) at \(operation)")
        }
        #expect("\(Fault(kind))".hasPrefix(kind.name))
    }

    @Test func `there are at least sixteen kinds, each with a name of its own`() {
        let names = Fault.Kind.examples.map(\.name)

        #expect(names.count >= 16)
        #expect(names.indices.allSatisfy { !names[..<$0].contains(names[$0]) })
    }

    @Test(arguments: [
        (BluetoothFault(.mtu(22)), "size"), (BluetoothFault(.mtu(518)), "size"),
        (BluetoothFault(.mtuLie(told: 64, used: 64)), "used"), (BluetoothFault(.mtuLie(told: 23, used: 23)), "told"),
        (BluetoothFault(.attributeError(0)), "code"), (BluetoothFault(.cutAnswer(bytes: 0)), "bytes"),
        (BluetoothFault(.lateAnswer(by: .zero)), "seconds"),
        (BluetoothFault(.linkLost(for: .seconds(3601))), "seconds"),
        (BluetoothFault(.earlyNotification([1], count: 33)), "count"),
        (BluetoothFault(.bunchedNotifications(1, within: .seconds(1))), "count"),
        (BluetoothFault(.servicesMoved(to: 0)), "to"), (BluetoothFault(.pinChanged(1_000_000)), "pin"),
        (BluetoothFault(.pairingRefused(17)), "reason"), (BluetoothFault(.disconnect(0x08)), "reason"),
        (
            BluetoothFault(.connectionParameters(interval: .seconds(1), latency: 4, timeout: .seconds(6))),
            "intervalSeconds"
        ),
        (BluetoothFault(.nameCut(bytes: 29)), "bytes"), (BluetoothFault(.noAnswer, number: 0), "number"),
        (BluetoothFault(.noAnswer, number: 65_536), "number"), (BluetoothFault(.noAnswer, times: 0), "times"),
        (BluetoothFault(.mtu(64), at: .write), "operation"),
    ])
    func `a fault that can never happen names the parameter`(fault: BluetoothFault, parameter: String) {
        #expect(fault.problem?.parameter == parameter)
    }

    @Test func `no description of a fault shows a PIN`() {
        let fault = Fault(.pinChanged(654_321))

        #expect(!"\(fault) \(fault.kind)".contains("654"))
        #expect("\(fault)" == "pin-changed at pairing")
    }

    @Test func `a fault says its kind, its operation and how often it comes`() {
        #expect("\(Fault(.attributeError(0x0E), number: 3))" == "att-error 0x0e at write number 3")
        #expect("\(Fault(.noAnswer, at: .mtu, times: 2))" == "no-answer at mtu, 2 times")
        #expect("\(Fault(.indication, times: Fault.mostTimes))" == "indication at notification, from then on")
    }

    // MARK: Occasions

    @Test func `a fault is due at its operation, from its number on and as often as it has times`() throws {
        var ledger = Ledger()
        try ledger.arm(Fault(.noAnswer, at: .write, number: 2, times: 2), number: 7)

        let due = (0..<4).map { _ in ledger.meet(.write).map(\.number) }
        let others = ledger.meet(.read)

        #expect(due == [[], [7], [7], []])
        #expect(others.isEmpty)
        #expect(ledger.entry(7)?.operations == 4 && ledger.entry(7)?.isOver == true)
    }

    @Test func `a command without an answer is no occasion for a fault of answers`() throws {
        var ledger = Ledger()
        try ledger.arm(Fault(.noAnswer, at: .write), number: 1)
        try ledger.arm(Fault(.serviceChanged, at: .write), number: 2)

        let command = ledger.meet(.write, isAnswered: false)
        let request = ledger.meet(.write)

        #expect(command.map(\.number) == [2])
        #expect(request.map(\.number) == [1])
    }

    @Test func `only an effect that was noted counts`() throws {
        var ledger = Ledger()
        try ledger.arm(Fault(.indication), number: 1)

        let due = ledger.meet(.notification)
        #expect(ledger.entry(1)?.count.hasFired == false)
        ledger.note(try #require(due.first), frames: 1, bytes: 20, at: .start + .seconds(3))

        let count = try #require(ledger.entry(1)?.count)
        #expect((count.times, count.frames, count.bytes, count.first) == (1, 1, 20, .start + .seconds(3)))
    }

    @Test func `a fault of the build holds from the start where its number is 0`() throws {
        var ledger = Ledger()
        try ledger.arm(Fault(.design(.open), number: 0), number: 1)
        try ledger.arm(Fault(.design(.bareName), number: 2, times: 1), number: 2)

        #expect(ledger.designs == [.open])
        _ = ledger.meet(.connection)
        _ = ledger.meet(.connection)
        #expect(ledger.designs == [.open, .bareName])
        _ = ledger.meet(.connection)
        #expect(ledger.designs == [.open])
    }

    @Test func `a fault that is taken back does nothing more, and keeps its count`() throws {
        var ledger = Ledger()
        try ledger.arm(Fault(.indication, times: 5), number: 1)
        let first = ledger.meet(.notification)
        ledger.note(try #require(first.first), at: .start)

        let taken = [1, 1, 2].map { ledger.disarm($0) }
        let due = ledger.meet(.notification)

        #expect(taken.map { $0?.kind } == [.indication, nil, nil])
        #expect(due.isEmpty)
        #expect(ledger.entry(1)?.count.times == 1)
    }

    // MARK: Refusals

    @Test func `two faults that decide on the same operation exclude each other while both can come`() throws {
        var ledger = Ledger()
        try ledger.arm(Fault(.noAnswer, at: .write, number: 2), number: 1)

        try ledger.arm(Fault(.attributeError(0x0E), at: .write, number: 1), number: 2)
        try ledger.arm(Fault(.attributeError(0x0E), at: .read, number: 2), number: 3)
        let refusal = #expect(throws: Ledger.Refusal.self) {
            try ledger.arm(Fault(.lateAnswer(by: .seconds(1)), at: .write, times: 5), number: 4)
        }
        #expect(refusal == .excluded(by: 1))

        _ = ledger.meet(.write)
        _ = ledger.meet(.write)
        try ledger.arm(Fault(.lateAnswer(by: .seconds(1)), at: .write, times: 5), number: 4)
    }

    @Test(arguments: BluetoothFault.Kind.examples)
    func `a kernel's controller refuses what it decides itself`(kind: BluetoothFault.Kind) {
        var ledger = Ledger()
        let fault = Fault(kind)

        if kind.needsController {
            #expect(throws: Ledger.Refusal.needsController(kind.name)) {
                try ledger.arm(fault, number: 1, ownsController: false)
            }
        } else {
            #expect(throws: Never.self) { try ledger.arm(fault, number: 1, ownsController: false) }
        }
        #expect(throws: Ledger.Refusal.self) {
            try ledger.arm(Fault(.noAnswer, at: .pairing), number: 2, ownsController: false)
        }
    }

    @Test func `a ledger holds no more than its most, and those taken back make room`() throws {
        var ledger = Ledger()
        for number in 1...Ledger.most {
            try ledger.arm(Fault(.serviceChanged, number: number), number: number)
        }
        #expect(throws: Ledger.Refusal.tooMany(Ledger.most)) { try ledger.arm(Fault(.indication), number: 1000) }

        _ = ledger.disarm(5)
        try ledger.arm(Fault(.indication), number: 1000)

        #expect(ledger.entries.count == Ledger.most)
        #expect(throws: Ledger.Refusal.self) { try ledger.arm(Fault(.indication), number: 1000) }
    }

    // MARK: Packets

    /// The service of a radio, as a client's packets meet it.
    private static func table() -> ATT.AttributeTable {
        var table = ATT.AttributeTable()
        table.addService(.nordicUART)
        table.addCharacteristic(.nordicRX, [.write, .writeWithoutResponse], write: .open)
        table.addCharacteristic(.nordicTX, [.notify])
        return table
    }

    /// RX is at 3, TX at 5 and its configuration at 6.
    @Test(arguments: [
        ([0x02, 23, 0] as [UInt8], BluetoothFault.Operation.mtu), ([0x10, 1, 0, 0xFF, 0xFF, 0, 0x28], .discovery),
        ([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], .discovery), ([0x08, 1, 0, 0xFF, 0xFF, 0, 0x2A], .read),
        ([0x04, 1, 0, 0xFF, 0xFF], .discovery), ([0x0A, 3, 0], .read), ([0x12, 6, 0, 1, 0], .subscription),
        ([0x12, 3, 0, 5], .write), ([0x52, 3, 0, 5], .write), ([0x18, 1], .write),
    ])
    func `a packet of a client belongs to an operation`(packet: [UInt8], operation: BluetoothFault.Operation) {
        #expect(BluetoothFault.Operation(of: packet.span, in: Self.table()) == operation)
    }

    @Test(
        arguments: [
            [], [0x12], [0x12, 3], [0x12, 99, 0, 1], [0x12, 5, 0, 1], [0x12, 3, 0, 0xBE, 1], [0x1E], [0xFF, 1, 2],
            [0x08, 1, 0],
        ] as [[UInt8]])
    func `a frame of the bench, and what makes no sense, belong to none but reads`(packet: [UInt8]) {
        let operation = BluetoothFault.Operation(of: packet.span, in: Self.table())

        #expect(operation == nil || operation == .read)
    }

    @Test func `a late answer waits for its time, and goes with its link`() throws {
        var (ledger, server, table) = (Ledger(), ATT.Server(mtu: 247), Self.table())
        try ledger.arm(Fault(.lateAnswer(by: .seconds(2)), at: .write, times: 2), number: 1)
        func write(_ link: UInt32) -> Ledger.Served {
            ledger.serve(
                ([0x12, 3, 0, 5] as [UInt8]).span, of: link, at: .start, protection: ATT.Protection(), server: &server,
                table: &table)
        }

        let first = write(1)
        _ = write(2)
        ledger.ended(2)

        #expect(first.effects == [.written(handle: 3, value: [5])])
        #expect(ledger.deadline == .start + .seconds(2))
        let early = ledger.release(at: .start + .seconds(1))
        let due = ledger.release(at: .start + .seconds(2))
        #expect(early.isEmpty)
        #expect(due.map(\.packet) == [[0x13]])
        #expect(ledger.deadline == nil)
    }

    @Test func `a packet without faults is served as the server serves it`() {
        var (ledger, server, table) = (Ledger(), ATT.Server(mtu: 247), Self.table())
        var (other, otherTable) = (server, table)
        for packet in [[0x02, 100, 0], [0x12, 3, 0, 9], [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28], [0x33]] as [[UInt8]] {
            let served = ledger.serve(
                packet.span, of: 1, at: .start, protection: ATT.Protection(), server: &server, table: &table)
            let plain = other.receive(packet.span, at: .start, protection: ATT.Protection(), table: &otherTable)

            #expect(served.effects == plain && served.acts.isEmpty)
        }
        #expect(table == otherTable)
    }
}
