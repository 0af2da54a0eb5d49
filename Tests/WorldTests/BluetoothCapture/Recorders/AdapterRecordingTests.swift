import MeshCapture
import MeshCompanion
import MeshTime
import Testing

@testable import BluetoothCapture

/// The output of a recorder beside an adapter.
///
/// Source: CaptureFormats, "Live sources" and "Private data".
@Suite struct AdapterRecordingTests {
    static let formats: [CaptureFormat] = [.pcap, .pcapng, .btsnoop]

    /// The reports of an adapter besides packets: it came, was opened, its description, a daemon's words, it went.
    static let reports: [[UInt8]] = [
        [0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6] + Array("hci0\0\0\0\0".utf8), [0, 0, 0, 8],
        [0, 0, 0, 10, 1, 2, 3, 4, 5, 6, 0x3B, 0], [0xFF, 0xFF, 0, 12] + Array("Linux\0".utf8),
        [0, 0, 0, 13, 7, 3] + Array("bd\0hello\0".utf8), [0, 0, 0, 17, 1, 0, 0, 0, 0x0A, 0, 1], [0, 0, 0, 9],
        [0, 0, 0, 1],
    ]

    static func text(_ bytes: [UInt8]) throws -> Recording {
        var problems: [CaptureProblem] = []
        let recording = try Recording(bytes, problems: &problems)
        #expect(problems.isEmpty)
        return recording
    }

    @Test(arguments: formats, [LinkType.linuxMonitor, .h4WithDirection])
    func `a file of packets has each of them, in every format`(format: CaptureFormat, link: LinkType) throws {
        var script = AdapterScript(AdapterScript.session(1), link)
        if link == .linuxMonitor {
            for (index, report) in Self.reports.enumerated() { script.insert(report, at: index) }
        }

        let (file, tally) = script.file(
            try AdapterRecording(packetsAs: format, of: link, keepsNanoseconds: false))

        #expect(PacketLog.reading(file).story == script.packets.story)
        #expect(PacketLog.reading(file).problems.isEmpty)
        // Nothing is left out that the layers above have no word for.
        let log = RecordLog.reading(file)
        #expect(log.headers.count == script.records.count && log.problems.isEmpty)
        let wrapping = format == .btsnoop ? 4 : 0
        #expect(log.bytes == script.records.flatMap { $0.bytes.dropFirst(wrapping) })
        #expect(tally.packets == script.records.count && tally.connections == 1 && tally.frames == 40)
        #expect(tally.problems == 0)
    }

    @Test(arguments: formats, [false, true])
    func `the keys of bondings are overwritten where that is asked for, and nothing else`(
        format: CaptureFormat, redactsKeys: Bool
    ) throws {
        var script = AdapterScript(AdapterScript.session(1))
        let key = [UInt8](repeating: 0xA7, count: 16)
        let (before, after) = ([0, 0, 0, 3, 0x18, 23, 1, 2, 3, 4, 5, 6] as [UInt8], [4] as [UInt8])
        script.insert(before + key + after, at: 3)

        let (file, tally) = script.file(
            try AdapterRecording(packetsAs: format, of: .linuxMonitor, redactsKeys: redactsKeys))

        script.records[3].bytes = before + (redactsKeys ? [UInt8](repeating: 0, count: 16) : key) + after
        let wrapping = format == .btsnoop ? 4 : 0
        #expect(RecordLog.reading(file).bytes == script.records.flatMap { $0.bytes.dropFirst(wrapping) })
        #expect(tally.redactedPackets == (redactsKeys ? 1 : 0))
        #expect(tally.frames == 40 && tally.problems == 0)
    }

    @Test(arguments: formats)
    func `a file of packets begins at once, and pcapng says which interface it is`(format: CaptureFormat) throws {
        var recording = try AdapterRecording(packetsAs: format, of: .linuxMonitor, interface: "bluetooth-monitor")

        let head = recording.drained()

        #expect(!head.isEmpty && RecordLog.reading(head).problems.isEmpty)
        AdapterScript(AdapterScript.session(1, frames: 1)).feed(&recording)
        let text = String(decoding: recording.drained(), as: UTF8.self)
        #expect(text.contains("bluetooth-monitor") == (format == .pcapng))
        #expect(!text.contains("bluetooth-monitor0"))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>, [LinkType.linuxMonitor, .h4WithDirection])
    func `a recording of frames is the one that is made of a file of the same packets`(seed: UInt64, link: LinkType)
        throws
    {
        let script = AdapterScript(AdapterScript.session(seed), link)

        let (file, tally) = script.file(.frames())

        let collected = try #require(script.collected.first).recording
        #expect(file == [UInt8](collected.text.utf8))
        #expect(tally.frames == 40 && tally.connections == 1 && tally.otherConnections == 0)
    }

    @Test(
        .enabled(if: CaptureFolder.bluetooth != nil),
        arguments: [
            ("bluez-libpcap-hci0-dlt201.pcap", 46), ("bumble-central-h4-1002.btsnoop", 3),
            ("csacca-treadmill.btsnoop", 0), ("madkaye-revcar-midconnection.btsnoop", 0),
        ])
    func `real traffic becomes the same recording while it happens`(name: String, frames: Int) throws {
        let file = try CaptureFolder.bytes(name)
        var decoder = LinkDecoder(CaptureReader(RecordingCollector()))
        _ = read(file, pieces: [file.count], into: &decoder)
        decoder.sink.finish()
        var recording = AdapterRecording.frames()

        _ = read(file, pieces: [100], into: &recording)
        recording.finish()

        let expected = decoder.sink.sink.recordings.first?.recording.entries ?? []
        #expect(try Self.text(recording.drained()).entries.map(\.line) == expected.map(\.line))
        #expect(recording.tally.frames == frames)
    }

    @Test func `what is replaced is what is replaced in a file, and comes out replaced`() throws {
        let login = [26] + [UInt8](repeating: 0xAB, count: 32) + Array("open sesame".utf8)
        let text = [2, 0, 0, 1, 2, 3, 4] + [UInt8](repeating: 0xCD, count: 6) + Array("meet me at the mill".utf8)
        let script = AdapterScript(
            [
                RecordingEntry(.zero, .ble, .connected), RecordingEntry(.seconds(1), .ble, .frame(.toRadio, login)),
                RecordingEntry(.seconds(2), .ble, .frame(.toRadio, text)),
            ])
        let header = RecordingHeader(transport: .ble, date: "2023-11-14")

        let (file, _) = script.file(
            AdapterRecording(framesUnder: header, scrubbed: RecordingScrubber.usual, salt: [1, 2, 3]))

        let whole = try #require(script.collected.first).recording
        let (scrubbed, _) = whole.scrubbed(salt: [1, 2, 3])
        #expect(file == [UInt8](scrubbed.text.utf8))
        #expect(scrubbed.header.scrubbed == RecordingScrubber.usual)
        for secret in ["6f70656e20736573616d65", "6d656574206d65"] {
            #expect(whole.text.contains(secret) && !scrubbed.text.contains(secret))
        }
    }

    @Test func `a date that is said is written at once, else that of the first record`() throws {
        let header = RecordingHeader(transport: .ble)
        var early = header
        early.date = "2026-11-22"
        var waiting = AdapterRecording(framesUnder: header, scrubbed: [], salt: [])
        var told = AdapterRecording(framesUnder: early, scrubbed: [], salt: [])
        var empty = waiting

        #expect(waiting.drained() == [])
        #expect(try Self.text(told.drained()).header.date == "2026-11-22")
        AdapterScript(AdapterScript.session(1, frames: 1)).feed(&waiting)
        #expect(try Self.text(waiting.drained()).header.date == "2023-11-14")
        empty.finish()
        #expect(try Self.text(empty.drained()) == Recording(header))
    }

    /// The recorder is killed after any record: what it has given until then is a file.
    @Test(arguments: formats.map(Optional.some) + [nil])
    func `what comes out is whole after every record`(format: CaptureFormat?) throws {
        let script = AdapterScript(AdapterScript.session(3, frames: 10))
        var recording = try format.map { try AdapterRecording(packetsAs: $0, of: .linuxMonitor) } ?? .frames()
        var file = recording.drained()

        for (index, record) in script.records.enumerated() {
            recording.take(record.header, record.bytes)
            var ends: [Int] = []
            recording.drain { bytes, found in
                file += bytes
                ends = found
                #expect(found.last == bytes.count)
            }

            if format != nil {
                let log = RecordLog.reading(file)
                #expect(log.headers.count == index + 1 && log.problems.isEmpty)
                #expect(ends.count == 1)
            } else {
                let entries = try Self.text(file).entries
                #expect(entries.count + 1 >= ends.count)
            }
        }

        if format == nil { #expect(try Self.text(file).entries.count == 12) }
    }

    @Test(arguments: formats.map(Optional.some) + [nil], [LinkType.linuxMonitor, .h4WithDirection])
    func `one device's data is kept, in every format`(format: CaptureFormat?, link: LinkType) throws {
        // One after the other on the same handle: 201 has one adapter.
        let wanted = AdapterScript(AdapterScript.session(4), link, peer: 1, began: 1_700_001_000)
        var script = AdapterScript(AdapterScript.session(5), link, peer: 2)
        script.merge(wanted)
        let filter = try #require(PeerFilter(peer: [0xC0, 0, 0, 0, 0, 1]))

        let (file, tally) = script.file(
            try format.map { try AdapterRecording(packetsAs: $0, of: link, filter: filter) } ?? .frames(of: filter))

        #expect(tally.frames == 40 && tally.connections == 1 && tally.otherConnections == 0)
        let others = AdapterScript(AdapterScript.session(5), link).packets.hosts.count { $0.header.kind == .data }
        #expect(tally.otherPackets == others && others > 40)
        guard format != nil else {
            let expected = try #require(wanted.collected.first).recording.entries
            return #expect(try Self.text(file).entries == expected)
        }
        let read = PacketLog.reading(file)
        #expect(
            read.hosts.filter { $0.header.kind == .data }.map(\.bytes)
                == wanted.packets.hosts.filter { $0.header.kind == .data }.map(\.bytes))
        #expect(
            read.hosts.count { $0.header.kind == .event } == script.packets.hosts.count { $0.header.kind == .event })
    }

    @Test func `a recording has one radio, and its later connections follow`() throws {
        var script = AdapterScript(AdapterScript.session(1), peer: 1)
        let meanwhile = AdapterScript(AdapterScript.session(2), adapter: 1, peer: 2, began: 1_700_000_001)
        let later = AdapterScript(AdapterScript.session(3), peer: 1, began: 1_700_000_500)
        let another = AdapterScript(AdapterScript.session(4), peer: 3, began: 1_700_000_900)
        let expected = [script, later].flatMap { $0.collected }.map(\.recording.entries)
        for other in [meanwhile, later, another] { script.merge(other) }

        let (file, tally) = script.file(.frames())

        let entries = try Self.text(file).entries
        #expect(tally.connections == 2 && tally.otherConnections == 2 && tally.frames == 80)
        #expect(entries.map(\.event) == expected.flatMap { $0.map(\.event) })
        let shift = TimeSpan.seconds(500)
        #expect(entries.map(\.time) == expected[0].map(\.time) + expected[1].map { $0.time + shift })
    }

    @Test func `a connection that began earlier is that of the radio which connects next`() throws {
        let first = AdapterScript(AdapterScript.session(1), peer: 1)
        let next = AdapterScript(AdapterScript.session(2), peer: 1, began: 1_700_000_500)
        let another = AdapterScript(AdapterScript.session(3), peer: 2, began: 1_700_000_900)
        var script = first
        // Whose connection it is was said in the beginning.
        script.records.removeAll { $0.bytes[3] == 3 && $0.bytes[4] == 0x3E }
        script.merge(next)
        script.merge(another)

        let (file, tally) = script.file(.frames())

        #expect(tally.connections == 2 && tally.otherConnections == 1 && tally.frames == 80)
        let entries = try Self.text(file).entries
        #expect(entries.first?.note == "the capture begins later")
        #expect(entries.count { $0.event == .connected } == 2)
    }

    @Test func `of two connections that began earlier the first to show its radio is recorded`() throws {
        var script = AdapterScript(AdapterScript.session(1))
        script.merge(AdapterScript(AdapterScript.session(2), adapter: 1, peer: 2, began: 1_700_000_001))
        script.records.removeAll { $0.bytes[3] == 3 && $0.bytes[4] == 0x3E }

        let (file, tally) = script.file(.frames())

        #expect(tally.connections == 1 && tally.otherConnections == 1 && tally.frames == 40)
        let frames = try Self.text(file).entries.map(\.event).filter { if case .frame = $0 { true } else { false } }
        #expect(frames == AdapterScript.session(1).dropFirst().map(\.event))
    }

    @Test(arguments: [
        // The adapter goes, is closed, comes anew, is opened; its host resets it.
        [0, 0, 0, 1], [0, 0, 0, 9], [0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 0x68, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 8],
        [0, 0, 0, 2, 0x03, 0x0C, 0],
    ])
    func `what an adapter reports of itself in the middle ends its connections`(report: [UInt8]) throws {
        let frames = AdapterScript.session(6, frames: 10)
        var script = AdapterScript(frames, peer: 1)
        let half = script.records.count / 2
        var other = report
        other[1] = 7
        script.insert(other, at: half)
        script.insert(report, at: half + 1)
        script.merge(AdapterScript(frames, peer: 1, began: 1_700_000_100))

        let (file, tally) = script.file(.frames())
        let (pcap, _) = script.file(try AdapterRecording(packetsAs: .pcap, of: .linuxMonitor))

        let events = try Self.text(file).entries.map(\.event)
        let whole = try #require(AdapterScript(frames, peer: 1).collected.first).recording.entries.map(\.event)
        // Ended without a reason; what goes on without a beginning is not the radio's for sure, until it is.
        #expect(events.contains(.disconnected(reason: "")))
        #expect(events.suffix(whole.count) == whole[...])
        #expect(tally.connections >= 2 && tally.otherConnections == 0)
        #expect(RecordLog.reading(pcap).headers.count == script.records.count)
    }

    @Test(
        arguments: [
            [0, 0, 0, 1], [0, 0, 0, 9], [0, 0, 0, 0], [0, 0, 0, 8], [0, 0, 0, 2, 0x03, 0x0C, 0],
        ] as [[UInt8]])
    func `after a report of its adapter a handle is no longer the device's`(report: [UInt8]) throws {
        var script = AdapterScript(AdapterScript.session(6, frames: 10), peer: 1)
        let half = script.records.count / 2
        var other = report
        other[1] = 7
        script.insert(other, at: half)
        let filter = try #require(PeerFilter(peer: [0xC0, 0, 0, 0, 0, 1]))
        let (_, before) = script.file(.frames(of: filter))
        script.insert(report, at: half)

        let (_, after) = script.file(.frames(of: filter))

        #expect(before.frames == 10 && before.otherPackets == 0)
        #expect(after.frames < 10)
        let data = script.records[(half + 2)...].count { [4, 5].contains($0.bytes[3]) }
        #expect(after.otherPackets == data)
    }

    @Test func `connections that lead to no radio are nothing, however long they are`() throws {
        var recording = AdapterRecording.frames()
        let connected: [UInt8] =
            [0, 0, 0, 3, 0x3E, 19, 1, 0, 0x40, 0, 0, 1, 1, 2, 3, 4, 5, 0xC6] + [UInt8](repeating: 0, count: 7)
        // A heart rate, every second of three hours.
        let value: [UInt8] = [0, 0, 0, 5, 0x40, 0x20, 9, 0, 5, 0, 4, 0, 0x1B, 0x20, 0, 0, 72]
        let header = RecordHeader(number: 1, offset: 0, nanoseconds: 0, link: .linuxMonitor, originalLength: 17)
        recording.take(header, connected)
        for _ in 0..<10_000 { recording.take(header, value) }

        recording.finish()

        #expect(recording.tally.connections == 0 && recording.tally.frames == 0 && recording.tally.packets == 10_001)
        #expect(try Self.text(recording.drained()).entries.isEmpty)
    }

    @Test(arguments: formats.map(Optional.some) + [nil], 1...20 as ClosedRange<UInt64>)
    func `damaged packets are recorded as they are, and the file stays whole`(format: CaptureFormat?, seed: UInt64)
        throws
    {
        var random = Seed(seed).stream("damage")
        var script = AdapterScript(AdapterScript.session(seed))
        for index in script.records.indices where random.draw(0, 4) == 0 {
            switch random.draw(0, 3) {
            case 0:
                let count = Int(random.draw(0, UInt32(script.records[index].bytes.count) + 1))
                script.records[index].bytes = Array(script.records[index].bytes.prefix(count))
            case 1:
                for _ in 0..<3 where !script.records[index].bytes.isEmpty {
                    let place = Int(random.draw(0, UInt32(script.records[index].bytes.count)))
                    script.records[index].bytes[place] = random.nextByte()
                }
            default: script.records[index].bytes = (0..<random.draw(0, 40)).map { _ in random.nextByte() }
            }
            script.records[index].header.originalLength = max(
                script.records[index].header.originalLength, script.records[index].bytes.count)
        }

        let (file, tally) = script.file(
            try format.map { try AdapterRecording(packetsAs: $0, of: .linuxMonitor, keepsNanoseconds: false) }
                ?? .frames())

        #expect(tally.packets == script.records.count && tally.problems > tally.refusedPackets)
        guard let format else {
            let entries = try Self.text(file).entries
            let frames = entries.count { if case .frame = $0.event { true } else { false } }
            return #expect(frames == tally.frames)
        }
        let short = script.records.count { $0.bytes.count < 4 }
        let log = RecordLog.reading(file)
        #expect(log.problems.isEmpty)
        #expect(tally.refusedPackets == (format == .btsnoop ? short : 0))
        #expect(log.headers.count == script.records.count - tally.refusedPackets)
        #expect(PacketLog.reading(file).story == script.packets.story)
    }

    @Test func `records that the format has no room for are refused at once, or counted`() throws {
        let header = RecordHeader(number: 7, offset: 9, nanoseconds: 0, link: .lowEnergy, originalLength: 1)
        var recording = try AdapterRecording(packetsAs: .btsnoop)

        let reason = "btsnoop has no room for records of a link type 251"
        #expect(throws: CaptureProblem(offset: 0, number: 0, reason)) {
            try AdapterRecording(packetsAs: .btsnoop, of: .lowEnergy)
        }
        #expect(throws: CaptureProblem.self) { try AdapterRecording(packetsAs: .packetLogger, of: .h4) }
        recording.take(header, [1])
        #expect(recording.tally.problems > 0 && recording.drained() == [])
        #expect(recording.lastProblem?.offset == 9 && recording.lastProblem?.number == 7)
    }
}
