import MeshCompanion
import MeshCore
import MeshFiles
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshVirtualTime
import StackTestSupport
import Synchronization
import Testing

/// Planned faults on a transport round a transport: each kind fires at its occasion, and is idle without it.
@Suite struct PlannedTransportTests {
    /// Everything that both ends of a link have seen.
    private struct Report: Hashable, Sendable {
        struct Frame: Hashable, Sendable {
            let bytes: [UInt8]
            let at: Duration
        }

        var toApp: [Frame] = []
        var toRadio: [Frame] = []
        var ends = 0
        var refusals = 0
        var power: [LinkPowerFault.Kind] = []
    }

    /// Both ends of a link, which tasks share.
    private final class Desk: Sendable {
        let report = Mutex(Report())
        let script = Mutex(PlannedRadio())
    }

    /// The conversation of the samples over a link with a plan, and how often its first fault fired.
    private func converse(
        _ plan: LinkFaultPlan?, on carrier: LinkCarrier, seed: UInt64 = 1
    ) throws -> (report: Report, count: FaultCount) {
        try VirtualTime.run { clock in
            let counter = LinkFaultCounter()
            let desk = Desk()
            let radio = MockTransport()
            await radio.answerEach { frame in
                desk.report.withLock { $0.toRadio.append(.init(bytes: frame, at: clock.now.sinceStart)) }
                return desk.script.withLock { $0.answers(to: frame) }
            }
            let link = FaultyTransport(radio, seed: Seed(seed), clock: clock, carrier: carrier)
            if let plan {
                _ = try await link.arm(plan, counter: counter) { change in
                    desk.report.withLock { $0.power.append(change.kind) }
                }
            }
            for half in PlannedSamples.halves {
                while true {
                    do {
                        try await link.connect()
                        break
                    } catch {
                        desk.report.withLock { $0.refusals += 1 }
                        try await clock.sleep(for: .seconds(1))
                    }
                }
                let frames = await link.receivedData
                let reading = Task {
                    for await frame in frames {
                        desk.report.withLock { $0.toApp.append(.init(bytes: frame, at: clock.now.sinceStart)) }
                    }
                }
                for command in half {
                    if (try? await link.send(command)) == nil { desk.report.withLock { $0.ends += 1 } }
                    try await clock.sleep(for: .seconds(1))
                }
                try await clock.sleep(for: .seconds(10))
                await link.disconnect()
                await reading.value
            }
            return (desk.report.withLock { $0 }, counter.count(ofPlanned: 0))
        }
    }

    /// The samples on the links that can have them.
    private static let table: [(LinkCarrier, PlannedLinkFault)] = [LinkCarrier.tcp, .serial, .bluetooth].flatMap {
        carrier in
        PlannedSamples.all.filter { fault in (try? LinkFaultPlan([fault]).check(on: carrier)) != nil }.map {
            (carrier, $0)
        }
    }

    @Test func `each kind is in the table, and plays over TCP or Bluetooth`() {
        let kinds = Set(Self.table.map(\.1.kind.id))

        #expect(kinds == Set(LinkFaultKind.Name.allCases))
        #expect(kinds.count >= 24)
        #expect(
            PlannedSamples.all.map(\.kind.id) == LinkFaultKind.Name.allCases, "each once, in the order of their list")
    }

    @Test(arguments: table)
    func `a planned fault fires at its occasion, and both ends see another conversation`(
        carrier: LinkCarrier, fault: PlannedLinkFault
    ) throws {
        let (before, _) = try converse(nil, on: carrier)

        let (after, count) = try converse(LinkFaultPlan([fault]), on: carrier)

        let isBrownOut = fault.kind.id == .brownOut
        #expect(count.hasFired != isBrownOut, "the world counts torn writes")
        // A reader of a stream finds the same frames in one write or in two, and skips what is no header.
        let isUnseen = carrier.isStream && [.merge, .rubbish, .empty].contains(fault.kind.id)
        #expect((after != before) != isUnseen, "\(fault)")
        #expect(try converse(LinkFaultPlan([fault]), on: carrier).report == after, "the same seed, the same effect")
    }

    @Test(arguments: table)
    func `a planned fault whose occasion does not come is idle, and changes nothing`(
        carrier: LinkCarrier, fault: PlannedLinkFault
    ) throws {
        let (before, _) = try converse(nil, on: carrier)

        let (after, count) = try converse(LinkFaultPlan([PlannedSamples.idle(fault)]), on: carrier)

        #expect(!count.hasFired)
        #expect(after == before)
    }

    // MARK: Effects

    private func frames(
        _ fault: PlannedLinkFault, on carrier: LinkCarrier = .bluetooth, code: ResponseCode
    ) throws -> [[UInt8]] {
        try converse(LinkFaultPlan([fault]), on: carrier).report.toApp.map(\.bytes).filter {
            $0.first == code.rawValue
        }
    }

    @Test func `a frame is cut at its end, and the reader of a stream finds the next one`() throws {
        for carrier in [LinkCarrier.tcp, .bluetooth] {
            let contacts = try frames(
                PlannedLinkFault(.cut(bytes: 3), at: .frame(.contact, number: 3)), on: carrier, code: .contact)

            #expect(contacts.map(\.count) == [148, 148, 145, 148, 148, 148])
        }
    }

    @Test func `an error comes in place of the answer, and an answer in place of another`() throws {
        let error = try converse(
            LinkFaultPlan([PlannedLinkFault(.error(.tableFull), at: .answer(to: .getChannel))]), on: .tcp)
        #expect(error.report.toApp.contains { $0.bytes == [1, 3] })
        #expect(!error.report.toApp.contains { $0.bytes.first == ResponseCode.channelInfo.rawValue })

        let other = try converse(
            LinkFaultPlan([PlannedLinkFault(.otherAnswer(.ok), at: .answer(to: .getChannel))]), on: .tcp)
        #expect(other.report.toApp.count { $0.bytes == [0] } == 2)
    }

    @Test func `a listing announces another number, and may never end`() throws {
        let more = try frames(PlannedLinkFault(.moreContacts(2)), code: .contactsStart)
        #expect(more == [Resp.ContactsStart(count: 1), Resp.ContactsStart(count: 3)].map { $0.encoded() })
        let fewer = try frames(PlannedLinkFault(.fewerContacts(2), times: 2), code: .contactsStart)
        #expect(fewer == [Resp.ContactsStart(count: 5), Resp.ContactsStart(count: 5)].map { $0.encoded() })
        #expect(try frames(PlannedLinkFault(.endlessListing), code: .endOfContacts).count == 1)
    }

    @Test func `the same message comes again and again`() throws {
        let messages = try frames(PlannedLinkFault(.sameMessage), code: .contactMsgRecvV3)

        // A message of the connection before is none of this one.
        #expect(messages.count == 2 && Set(messages).count == 1)
    }

    @Test func `a wrong length swallows the beginning of the next frame on a stream`() throws {
        let (report, count) = try converse(
            LinkFaultPlan([PlannedLinkFault(.wrongLength(by: 4), at: .frame(.contact))]), on: .tcp)

        #expect(count.hasFired)
        let contacts = report.toApp.filter { $0.bytes.first == ResponseCode.contact.rawValue }
        #expect(contacts.first?.bytes.count == 152)
        #expect(contacts.count < 6)
    }

    @Test func `a frame of an older session comes first in the next one`() throws {
        let plan = LinkFaultPlan([PlannedLinkFault(.olderSession(.response(.contact)), at: .connect(number: 2))])
        let (report, _) = try converse(plan, on: .tcp)

        let second = try #require(report.toApp.lastIndex { $0.bytes.first == ResponseCode.selfInfo.rawValue })
        #expect(report.toApp[second - 1].bytes == Frames.frame(Frames.contact(4)))
    }

    @Test func `what is said during a stall comes behind it, in both directions`() throws {
        let plan = LinkFaultPlan([PlannedLinkFault(.stall(for: .seconds(3)), at: .phase(.contacts))])
        let (before, _) = try converse(nil, on: .tcp)

        let (after, _) = try converse(plan, on: .tcp)

        #expect(after.toApp.map(\.bytes) == before.toApp.map(\.bytes))
        let start = try #require(before.toApp.first { $0.bytes.first == ResponseCode.contactsStart.rawValue }?.at)
        #expect(after.toApp.allSatisfy { $0.at < start || $0.at >= start + .seconds(3) })
        #expect(after.toRadio.filter { $0.at > start && $0.at < start + .seconds(3) }.isEmpty)
    }

    @Test func `so many attempts to connect are refused`() throws {
        let plan = LinkFaultPlan([PlannedLinkFault(.refuseConnection, at: .connect(number: 2), times: 3)])

        let (report, count) = try converse(plan, on: .tcp)

        #expect(report.refusals == 3 && count.times == 3 && count.frames == 0)
        #expect(report.toApp.count { $0.bytes.first == ResponseCode.selfInfo.rawValue } == 2)
    }

    @Test func `frames to the radio are counted and changed in their own direction`() throws {
        let plan = LinkFaultPlan([
            PlannedLinkFault(.cut(bytes: 1), at: .frame(.setChannel)),
            PlannedLinkFault(.unknownCode(0xF0), way: .toRadio, at: .after(frames: 1)),
        ])

        let (report, count) = try converse(plan, on: .tcp)

        #expect(count.times == 1 && count.bytes == 50)
        #expect(report.toRadio.first { $0.bytes.first == CommandCode.setChannel.rawValue }?.bytes.count == 49)
        #expect(report.toRadio.contains { $0.bytes == [0xF0, 1, 2, 3, 4] })
    }

    @Test func `the earlier fault of a plan decides on a frame, and the other one waits for the next`() throws {
        let plan = LinkFaultPlan([
            PlannedLinkFault(.lose, at: .frame(.contact, number: 2)), PlannedLinkFault(.double, at: .after(frames: 3)),
        ])

        let contacts = try converse(plan, on: .bluetooth).report.toApp.map(\.bytes).filter {
            $0.first == ResponseCode.contact.rawValue
        }

        #expect(contacts.prefix(3) == [2, 4, 4].map { Frames.frame(Frames.contact($0)) }[...])
    }

    @Test func `a plan that this link cannot have is refused by name, and nothing is armed`() async throws {
        let clock = StoppedClock()
        let link = FaultyTransport(MockTransport(), seed: Seed(1), clock: clock)
        for (kind, reason) in [
            (LinkFaultKind.reboot, "needs a board whose power can be cut"), (.wrongLength(by: 1), "needs a header"),
            (.empty, "writes no such frame"),
        ] as [(LinkFaultKind, String)] {
            let problem = await #expect(throws: FileProblem.self) {
                try await link.arm(LinkFaultPlan([PlannedLinkFault(kind, way: .toRadio)]))
            }
            #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
        }
    }
}
