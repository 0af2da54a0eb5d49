import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The slots of a radio, read into the store.
@Suite struct ChannelSyncTests {
    static let publicChannel = Resp.ChannelInfo(
        channelIndex: 0, name: FixedBytes(text: "Public"), secret: FixedBytes(ChannelService.publicSecret))

    static func secret(_ number: UInt8) -> FixedBytes<16> { FixedBytes(repeatElement(number, count: 16)) }

    /// A radio whose slot 0 is the public channel, as firmware makes it.
    static func radio(_ change: (inout TableRadio.State) -> Void = { _ in }) -> TableRadio {
        TableRadio { state in
            state.slots[0] = publicChannel
            change(&state)
        }
    }

    private static func slots(_ frames: [[UInt8]]) -> [UInt8] {
        frames.filter { $0[0] == CommandCode.getChannel.rawValue }.map { $0[1] }
    }

    @Test(.proves("SVC-080")) func `as many slots are read as the radio reports, and no more than the cap`() throws {
        let radio = Self.radio()

        let (reported, capped, none) = try withTableRadio(radio) { bench, _ in
            var guide = StackProfile.architectureV2
            guide.channels.slotCap = 8
            try await bench.channels().syncChannels(deviceID: bench.device.id, maxChannels: 12)
            let reported = Self.slots(radio.takeFrames())
            try await bench.channels(guide).syncChannels(deviceID: bench.device.id, maxChannels: 40)
            let capped = Self.slots(radio.takeFrames())
            let none = try await bench.channels().syncChannels(deviceID: bench.device.id, maxChannels: 0)
            return (reported, capped, none)
        }

        #expect(reported == [UInt8](0..<12))
        #expect(capped == [UInt8](0..<8))
        #expect(none == ChannelSyncResult(channelsSynced: 0))
        #expect(StackProfile.architectureV1.channels.slotCap == 8)
        #expect(StackProfile.prd.channels.slotCap == 8)
        #expect(StackProfile.architectureV2.channels.slotCap == 40)
    }

    @Test(.proves("SVC-R-068")) func `of 40 slots with two in use, two rows come, and slot 39 is found`() throws {
        let radio = Self.radio { state in
            state.slots[39] = Resp.ChannelInfo(
                channelIndex: 39, name: FixedBytes(text: "last"), secret: Self.secret(9))
        }
        let progress = Notes<[Int]>()

        let (result, rows) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let result = try await channels.syncChannels(
                deviceID: bench.device.id, maxChannels: bench.device.maxChannels
            ) { progress.add([$0, $1]) }
            return (result, try await channels.getChannels(deviceID: bench.device.id))
        }

        #expect(result == ChannelSyncResult(channelsSynced: 2))
        #expect(rows.map(\.index) == [0, 39])
        #expect(rows.map(\.name) == ["Public", "last"])
        #expect(progress.all == (1...40).map { [$0, 40] })
    }

    @Test(.proves("SVC-081", "SVC-R-072"))
    func `a slot that times out once is asked again and its row is never gone`() throws {
        let radio = Self.radio { state in
            state.slots[2] = Resp.ChannelInfo(channelIndex: 2, name: FixedBytes(text: "two"), secret: Self.secret(2))
        }
        let misses = Notes<Bool>()

        let (results, asked, seconds, rows) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 4)
            _ = radio.takeFrames()
            radio.breakAnswers { frame in
                guard frame == GetChannel(channelIndex: 2).encoded(), misses.all.isEmpty else { return nil }
                misses.add(true)
                return []
            }
            let start = bench.seconds
            let once = try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 4)
            let asked = Self.slots(radio.takeFrames())
            let seconds = bench.seconds - start
            radio.breakAnswers { $0 == GetChannel(channelIndex: 2).encoded() ? [] : nil }
            let always = try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 4)
            #expect(Self.slots(radio.takeFrames()) == [0, 1, 2, 3, 2, 2])
            return ([once, always], asked, seconds, try await channels.getChannels(deviceID: bench.device.id))
        }

        #expect(results[0] == ChannelSyncResult(channelsSynced: 2))
        #expect(asked == [0, 1, 2, 3, 2])
        #expect(seconds == 5)
        let error = ChannelSyncError(
            index: 2, reason: StackError(.channels, .session(.timeout(.getChannel, after: .seconds(5)))))
        #expect(results[1] == ChannelSyncResult(channelsSynced: 1, errors: [error]))
        #expect("\(error)" == "channel slot 2: the radio did not answer CMD_GET_CHANNEL within 5.0 seconds")
        #expect(rows.map(\.name) == ["Public", "two"])
    }

    @Test(.proves("SVC-081")) func `an answer that is damaged is asked for again`() throws {
        let radio = Self.radio()
        let misses = Notes<Bool>()
        radio.breakAnswers { [weak radio] frame in
            guard frame == GetChannel(channelIndex: 0).encoded(), misses.all.count < 2, let radio else { return nil }
            misses.add(true)
            return radio.honestAnswer(frame).map { [UInt8]($0.prefix(20)) }
        }

        let result = try withTableRadio(radio) { bench, _ in
            try await bench.channels().syncChannels(deviceID: bench.device.id, maxChannels: 3)
        }

        #expect(result == ChannelSyncResult(channelsSynced: 1))
        #expect(misses.all.count == 2)
    }

    @Test func `three time-outs in a row end the reading, and what was not read stays`() throws {
        let radio = Self.radio { state in
            for slot in 1..<8 {
                state.slots[slot] = Resp.ChannelInfo(
                    channelIndex: UInt8(slot), name: FixedBytes(text: "old"), secret: Self.secret(UInt8(slot)))
            }
        }

        let (result, error, seconds, names) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            try await channels.syncChannels(deviceID: id, maxChannels: 8)
            radio.change { $0.slots[0].name = FixedBytes(text: "renamed") }
            radio.breakAnswers { $0[0] == CommandCode.getChannel.rawValue && $0[1] > 1 ? [] : nil }
            let start = bench.seconds
            let result = try await channels.syncChannels(deviceID: id, maxChannels: 8)
            let seconds = bench.seconds - start
            radio.breakAnswers { $0[0] == CommandCode.getChannel.rawValue ? [] : nil }
            let error = await failure(of: .channels) {
                try await channels.syncChannels(deviceID: id, maxChannels: 8)
            }
            return (result, error, seconds, try await channels.getChannels(deviceID: id).map(\.name))
        }

        #expect(result.isAborted)
        #expect(result.errors.map(\.index) == [2, 3, 4, 5, 6, 7])
        #expect(result.channelsSynced == 2)
        #expect(seconds == 15)
        #expect(error == .session(.timeout(.getChannel, after: .seconds(5))))
        #expect(names == ["renamed"] + [String](repeating: "old", count: 7))
    }

    @Test func `a link that is lost ends the reading, and nothing is stored`() throws {
        let radio = Self.radio()

        let (error, rows) = try withTableRadio(radio) { bench, transport in
            radio.breakAnswers { $0 == GetChannel(channelIndex: 5).encoded() ? [] : nil }
            let clock = bench.clock
            async let loss: Void = {
                try await clock.sleep(for: .seconds(1))
                await transport.simulateLoss()
            }()
            let channels = bench.channels()
            let error = await failure(of: .channels) {
                try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 8)
            }
            try await loss
            return (error, try await channels.getChannels(deviceID: bench.device.id))
        }

        #expect(error == .session(.connectionLost("the link was closed")))
        #expect(rows.isEmpty)
    }

    @Test func `a radio that has fewer slots than it reports is not asked again for those`() throws {
        let radio = Self.radio { $0.slots.removeLast(38) }

        let (result, asked) = try withTableRadio(radio) { bench, _ in
            let result = try await bench.channels().syncChannels(deviceID: bench.device.id, maxChannels: 4)
            return (result, Self.slots(radio.takeFrames()))
        }

        #expect(result.channelsSynced == 1)
        #expect(result.errors.map(\.reason.reason) == [.invalidChannelIndex(2), .invalidChannelIndex(3)])
        #expect(asked == [0, 1, 2, 3])
    }

    @Test(.proves("SVC-082"))
    func `a slot that became empty loses its row, and its messages stay with the archived channel`() throws {
        let radio = Self.radio { state in
            for slot in 1...2 {
                state.slots[slot] = Resp.ChannelInfo(
                    channelIndex: UInt8(slot), name: FixedBytes(text: "used"), secret: Self.secret(UInt8(slot)))
            }
        }

        let (slots, archived, texts) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            try await channels.syncChannels(deviceID: id, maxChannels: 4)
            let one = try #require(try await channels.getChannel(deviceID: id, index: 1))
            try await Self.save("kept", on: one, in: bench)
            radio.change { state in
                state.slots[1] = Resp.ChannelInfo()
                state.slots[2] = Resp.ChannelInfo()
            }
            try await channels.syncChannels(deviceID: id, maxChannels: 4)
            let texts = try await bench.store.fetchMessages(deviceID: id, thread: .channel(one.id)).map(\.text)
            return (
                try await channels.getChannels(deviceID: id).map(\.index),
                try await bench.store.fetchArchivedChannels(deviceID: id).map(\.index), texts
            )
        }

        #expect(slots == [0])
        #expect(archived == [1])
        #expect(texts == ["kept"])
    }

    @Test(.proves("SVC-R-070", "SVC-082"))
    func `a channel with a secret and no name is kept and shown by a placeholder`() throws {
        let radio = Self.radio { $0.slots[3].secret = Self.secret(3) }

        let row = try withTableRadio(radio) { bench, _ in
            try await bench.channels().syncChannels(deviceID: bench.device.id, maxChannels: 8)
            return try await bench.channels().getChannel(deviceID: bench.device.id, index: 3)
        }

        #expect(row?.name == "")
        #expect(row?.displayName == "Channel 3")
    }

    @Test(.proves("SVC-R-071")) func `bytes behind the end of a channel's name are not part of it`() throws {
        let radio = Self.radio { state in
            state.slots[1] = Resp.ChannelInfo(
                channelIndex: 1, name: FixedBytes([UInt8]("clean".utf8) + [0] + [UInt8]("garbage \u{1}".utf8)),
                secret: Self.secret(1))
            state.slots[2].name = FixedBytes([0] + [UInt8]("left over".utf8))
        }

        let names = try withTableRadio(radio) { bench, _ in
            try await bench.channels().syncChannels(deviceID: bench.device.id, maxChannels: 8)
            return try await bench.channels().getChannels(deviceID: bench.device.id).map(\.name)
        }

        #expect(names == ["Public", "clean"])
    }

    @Test(.proves("SVC-138", "SVC-R-073"))
    func `old messages do not appear in a channel that another app put into the slot`() throws {
        let radio = Self.radio { state in
            state.slots[3] = Resp.ChannelInfo(channelIndex: 3, name: FixedBytes(text: "club"), secret: Self.secret(3))
        }

        let (there, back) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            try await channels.syncChannels(deviceID: id, maxChannels: 8)
            let old = try #require(try await channels.getChannel(deviceID: id, index: 3))
            try await Self.save("old", on: old, in: bench)
            radio.change { $0.slots[3].secret = Self.secret(4) }
            try await channels.syncChannels(deviceID: id, maxChannels: 8)
            let there = try await bench.store.fetchMessages(deviceID: id, channelIndex: 3).map(\.text)
            // The old channel comes back, in another slot: with its messages.
            radio.change { state in
                state.slots[5] = Resp.ChannelInfo(
                    channelIndex: 5, name: FixedBytes(text: "club"), secret: Self.secret(3))
            }
            try await channels.syncChannels(deviceID: id, maxChannels: 8)
            return (there, try await bench.store.fetchMessages(deviceID: id, channelIndex: 5).map(\.text))
        }

        #expect(there == [])
        #expect(back == ["old"])
    }

    /// Stores a message that came on the channel.
    private static func save(_ text: String, on channel: ChannelDTO, in bench: ServiceBench) async throws {
        try await bench.store.saveMessage(
            MessageDTO(
                id: bench.dependencies.random.uuid(), deviceID: bench.device.id, channelID: channel.id,
                channelIndex: channel.index, text: text, timestamp: 1, createdAt: bench.dependencies.now(),
                direction: .incoming, status: .delivered))
    }
}
