import MeshBoards
import MeshCompanion
import MeshReports
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import Testing

@testable import MeshScenarios

/// Planned faults of frames, connections and power as words of scenarios, on the links of the emulator.
struct LinkPlanWordTests {
    private static let alice = LinkStory.alice
    private static let bob = LinkStory.bob

    /// A fault of each kind at an occasion that comes in the story.
    private static let samples: [PlannedLinkFault] =
        [
            LinkFaultKind.late(by: .seconds(1)), .split(after: 2), .merge, .doubleBytes(from: 1, count: 2),
            .cut(bytes: 3), .cutFront(bytes: 1), .loseBytes(from: 1, count: 2), .garble(),
            .insert(bytes: [0x3E, 5, 0]), .rubbish(bytes: 9), .lose, .swap, .double, .push(.msgWaiting),
            .otherAnswer(.ok), .wrongLength(by: 4),
            .error(.tableFull), .unknownCode(0xBF), .longest, .overlong(bytes: 200), .empty, .stall(for: .seconds(2)),
            .endBefore, .endWithin(after: 3), .endAfter, .reboot, .boardOff(for: .seconds(5)),
        ].map { PlannedLinkFault($0, at: .answer(to: .sendTxtMsg)) } + [
            // The app is closed and opened: what it lists then, and what the connection before it had.
            PlannedLinkFault(.olderSession(), at: .connect()), PlannedLinkFault(.moreContacts(1)),
            PlannedLinkFault(.fewerContacts(1)), PlannedLinkFault(.endlessListing),
            PlannedLinkFault(.sameMessage, at: .phase(.messages), times: 1),
            PlannedLinkFault(.refuseConnection, at: .connect()),
            PlannedLinkFault(.brownOut(for: .seconds(30)), at: .frame(.setChannel)),
        ]

    /// These faults are above the radio's chip: one family stands for both.
    private static let targets = [Target.emulator, Target(.modelled(.bluetoothNRF52))]

    /// The kinds on the links that can have them.
    private static let table: [(PlannedLinkFault, Target)] = samples.flatMap { fault in
        targets.filter { target in
            let carrier = target == .emulator ? LinkCarrier.tcp : .bluetooth
            return (try? LinkFaultPlan([fault]).check(on: carrier)) != nil
        }.map { (fault, $0) }
    }

    private static func story(_ fault: PlannedLinkFault) -> Scenario {
        // Each second over Bluetooth has many connection events.
        if case .answer = fault.occasion { return LinkStory.story(fault) { pause(.seconds(3)) } }
        return LinkStory.story(fault) {
            bob.sends("hi", to: alice)
            alice.has("hi").within(.seconds(20))
            // Her app asks for the next message.
            pause(.seconds(1))
            alice.closesApp()
            alice.opensApp()
            pause(.seconds(1))
            alice.joins(ChannelWord("hill"))
            pause(.seconds(1))
        }
    }

    @Test func `each kind is in the table, and plays over TCP`() {
        #expect(Set(Self.samples.map(\.kind.id)) == Set(LinkFaultKind.Name.allCases))
        #expect(Self.samples.count == LinkFaultKind.Name.allCases.count)
        let overTCP = Self.table.filter { $0.1 == .emulator }
        #expect(overTCP.count == Self.samples.count)
        // Bluetooth has no header.
        #expect(Self.table.count == 2 * Self.samples.count - 1)
    }

    @Test(arguments: table)
    func `a fault fires at its occasion, and the run is the same every time`(
        fault: PlannedLinkFault, target: Target
    ) async {
        let first = await ScenarioRun(Self.story(fault)).on(target)
        let second = await ScenarioRun(Self.story(fault)).on(target)

        #expect(first.faults.count == 1 && first.faults[0].count.hasFired, "\(fault)\n\(first.text())")
        #expect(first.digest == second.digest)
    }

    @Test(arguments: targets)
    func `faults whose occasions never come make the run invalid, and each is named`(target: Target) async {
        let faults = Self.table.filter { $0.1 == target }.map(\.0)
        let idle = faults.enumerated().map { place, fault in
            PlannedLinkFault(fault.kind, way: fault.way, at: .connect(number: 1000 + place))
        }

        let result = await ScenarioRun(LinkStory.story(idle) { pause(.seconds(1)) }).on(target)

        guard case .invalid(let reasons) = result.verdict else {
            Issue.record("\(result.text())")
            return
        }
        #expect(reasons.count == idle.count)
        for (reason, fault) in zip(reasons, idle) {
            #expect(reason.contains("alice's link has the fault \(fault)"), "\(reason)")
        }
    }

    // MARK: Refusals

    @Test(arguments: [LinkFaultKind.empty, .overlong(bytes: 200)])
    func `what a client cannot write over Bluetooth is refused before anything starts`(kind: LinkFaultKind) async {
        let story = LinkStory.story(PlannedLinkFault(kind, way: .toRadio, at: .frame(.sendTxtMsg)))

        let result = await ScenarioRun(story).on(Target(.modelled(.bluetoothESP32)))

        guard case .couldNotRun(let reason) = result.verdict else {
            Issue.record("\(result.text())")
            return
        }
        #expect(reason.contains("a client writes no such frame over Bluetooth"), "\(reason)")
    }

    @Test func `lines that follow each other are one plan, whose faults must not exclude each other`() async {
        let story = LinkStory.story([
            PlannedLinkFault(.lose, at: .answer(to: .sendTxtMsg)),
            PlannedLinkFault(.double, at: .answer(to: .sendTxtMsg)),
        ])

        let result = await ScenarioRun(story).on(.emulator)

        guard case .couldNotRun(let reason) = result.verdict else {
            Issue.record("\(result.text())")
            return
        }
        #expect(reason.contains("double and lose, fault 0, exclude each other"), "\(reason)")
    }

    /// The refusal of a plan by what is known of links without opening them.
    private static func refusal(_ story: Scenario, _ addresses: [String]) throws -> String? {
        let target = Target(.radios(try addresses.map { try LinkAddress(radio: $0) }))
        return try VirtualTime.run { clock in
            let stage = Stage(
                story, mesh: DeskMesh(story, on: target), clock: clock, seed: Seed(1),
                eventLog: EventLog(isRecording: false))
            do { try stage.checkLinkPlans() } catch { return "\(error)" }
            return nil
        }
    }

    @Test(arguments: [LinkFaultKind.endBefore, .endWithin(after: 3), .endAfter, .refuseConnection])
    func `a serial line is none that ends, and is known as one`(kind: LinkFaultKind) throws {
        let story = LinkStory.story(PlannedLinkFault(kind))

        let serial = try Self.refusal(story, ["serial:/dev/ttyUSB0", "serial:/dev/ttyUSB1"])

        #expect(
            serial?.contains("\(kind.name): a serial line ends only with the board's power, as by board-off") == true)
        #expect(try Self.refusal(story, ["tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"]) == nil)
    }
}
