import MeshCapture
import MeshCompanion
import MeshTime
import MeshWire
import Testing

/// The breaches of the protocol, line by line.
@Suite struct RecordingConversationTests {
    static func recording(_ frames: (FrameDirection, [UInt8])...) -> Recording {
        recording(frames)
    }

    static func recording(_ frames: [(FrameDirection, [UInt8])]) -> Recording {
        Recording(
            RecordingHeader(),
            frames.enumerated().map { .init(.milliseconds($0.offset * 10), .tcp, .frame($0.element.0, $0.element.1)) })
    }

    static let contact = Resp.Contact().encoded()
    static let start: [UInt8] = [2, 1, 0, 0, 0]
    static let end: [UInt8] = [4, 0, 0, 0, 0]
    static let time: [UInt8] = [9, 0, 0, 0, 0]

    @Test func `a conversation by the rules has no breach`() {
        let recording = Self.recording(
            (.toRadio, [5]), (.toApp, Self.time), (.toRadio, [4]), (.toApp, Self.start), (.toRadio, [5]),
            (.toApp, Self.contact), (.toApp, Self.time), (.toApp, Self.end), (.toApp, [0x83]),
            (.toRadio, [0x13] + [UInt8]("rebooo".utf8)), (.toApp, [1, 1]))

        let conversation = RecordingConversation(recording)

        #expect(conversation.breaches.isEmpty)
        #expect(conversation.exchanges.map(\.code) == [.getDeviceTime, .getDeviceTime, .getContacts, .reboot])
        #expect(conversation.exchanges.map(\.roundTrip.milliseconds) == [10, 20, 50, 10])
        #expect(conversation.pushes == 1)
    }

    @Test(
        arguments: [
            ([(.toApp, time)], [(0, .answerWithoutCommand)]),
            ([(.toApp, [1, 2])], [(0, .answerWithoutCommand)]),
            ([(.toRadio, [5])], [(0, .commandUnanswered)]),
            (
                [(.toRadio, [5]), (.toRadio, [0x14]), (.toApp, [12, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0])],
                [(0, .commandUnanswered)]
            ),
            ([(.toRadio, [5]), (.toApp, [9, 0])], [(1, .length), (1, .malformed)]),
            ([(.toRadio, [0xF0]), (.toApp, [1, 1])], [(0, .unknownCode)]),
            ([(.toRadio, [5]), (.toApp, [1, 4])], [(1, .refusal)]),
            ([(.toApp, contact)], [(0, .listing)]),
            ([(.toApp, end)], [(0, .listing)]),
            (
                [(.toRadio, [4]), (.toApp, start), (.toRadio, [4]), (.toApp, [1, 4]), (.toApp, end)],
                [(2, .listing)]
            ),
            ([(.toRadio, [4]), (.toApp, start)], [(0, .commandUnanswered)]),
            ([(.toApp, [0x82, 1, 2, 3, 4, 0, 0, 0, 0])], [(0, .pushWithoutCause)]),
            ([(.toRadio, [5] + [UInt8](repeating: 0, count: 200)), (.toApp, time)], [(0, .length)]),
        ] as [([(FrameDirection, [UInt8])], [(Int, ProtocolBreach.Rule)])])
    func `a breach is named at its line`(
        frames: [(FrameDirection, [UInt8])], expected: [(Int, ProtocolBreach.Rule)]
    ) {
        let breaches = RecordingConversation(Self.recording(frames)).breaches

        #expect(breaches.map(\.entry) == expected.map(\.0))
        #expect(breaches.map(\.rule) == expected.map(\.1))
    }

    @Test func `what an older release sends breaks nothing`() {
        let recording = Self.recording((.toRadio, [0x14]), (.toApp, [12, 1, 2]))

        #expect(RecordingConversation(recording).breaches.isEmpty)
    }

    @Test func `what is asked is not answered in the next connection`() {
        var recording = Self.recording((.toRadio, [5]), (.toApp, Self.time))
        recording.entries.insert(.init(.milliseconds(5), .tcp, .disconnected(reason: "")), at: 1)

        let breaches = RecordingConversation(recording).breaches

        #expect(breaches.map(\.rule) == [.commandUnanswered, .answerWithoutCommand, .notConnected])
    }

    @Test func `the statistics count frames, round trips and packets`() throws {
        var recording = Self.recording([
            (.toRadio, [5]), (.toApp, Self.time), (.toRadio, [5]), (.toApp, Self.time), (.toRadio, [5]),
            (.toApp, [0x83]),
        ])
        recording.entries.insert(.init(.zero, .tcp, .connected), at: 0)
        recording.entries.append(.init(.seconds(1), .air, .packet(.heard, [0x11, 0, 1], signal: nil)))
        recording.entries.append(.init(.seconds(2), .air, .packet(.heard, [0xFF], signal: nil)))

        let statistics = RecordingStatistics(recording)

        #expect(statistics.duration == .seconds(2))
        #expect(statistics.connections == 1)
        #expect(statistics.toRadio.map(\.name) == ["CMD_GET_DEVICE_TIME"])
        #expect(statistics.toRadio.map(\.bytes) == [3])
        #expect(statistics.toApp.map(\.count) == [1, 2])
        #expect(statistics.pushes == 1)
        #expect(statistics.unanswered == 1)
        #expect(statistics.heard.map(\.name) == ["ADVERT", "unreadable"])
        let trips = try #require(statistics.roundTrips.first)
        #expect(trips.count == 2)
        #expect(trips.longest == .milliseconds(10))
    }

    @Test func `a percentile is a time that was measured`() throws {
        // 100 commands whose answers take 1…100 ms.
        var entries: [RecordingEntry] = []
        for number in 1...100 {
            entries.append(.init(.seconds(number), .tcp, .frame(.toRadio, [5])))
            entries.append(.init(.seconds(number) + .milliseconds(number), .tcp, .frame(.toApp, Self.time)))
        }

        let trips = try #require(RecordingStatistics(Recording(RecordingHeader(), entries)).roundTrips.first)

        #expect(trips.shortest == .milliseconds(1))
        #expect(trips.median == .milliseconds(50))
        #expect(trips.percentile95 == .milliseconds(95))
        #expect(trips.longest == .milliseconds(100))
    }
}
