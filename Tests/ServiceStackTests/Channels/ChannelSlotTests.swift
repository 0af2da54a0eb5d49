import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The values that are written into slots, and read from them.
@Suite struct ChannelSlotTests {
    private static func radio(_ change: (inout TableRadio.State) -> Void = { _ in }) -> TableRadio {
        ChannelSyncTests.radio(change)
    }

    @Test(.proves("SVC-134"))
    func `a passphrase becomes the first half of its hash, and a secret has 16 bytes`() throws {
        let radio = Self.radio()

        let errors = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            try await channels.setChannel(deviceID: id, index: 1, name: "a", passphrase: "abc")
            try await channels.setChannelWithSecret(
                deviceID: id, index: 2, name: "b", secret: Data(repeating: 7, count: 16))
            try await channels.setChannel(deviceID: id, index: 3, name: "#test", passphrase: "#test")
            _ = radio.takeFrames()
            var errors: [StackError.Reason?] = []
            errors.append(
                await failure(of: .channels) {
                    try await channels.setChannel(deviceID: id, index: 4, name: "c", passphrase: "")
                })
            for size in [0, 15, 17, 32] {
                errors.append(
                    await failure(of: .channels) {
                        try await channels.setChannelWithSecret(
                            deviceID: id, index: 4, name: "c", secret: Data(repeating: 1, count: size))
                    })
            }
            #expect(radio.takeFrames().isEmpty)
            return errors
        }

        // FIPS 180-2, appendix B.1: SHA-256 of "abc".
        #expect(radio.slot(1).secret.hex == "ba7816bf8f01cfea414140de5dae2223")
        #expect(radio.slot(2).secret == ChannelSyncTests.secret(7))
        // SHA-256 of the name, the # included, as for every hashtag channel.
        #expect(radio.slot(3).secret.hex == "9cd8fcf22a47333b591d96a2b848b73f")
        #expect(errors == [StackError.Reason?](repeating: .secretHashingFailed, count: 5))
        #expect(ChannelService.hashSecret("") == Data(count: 16))
        #expect(!ChannelService.validateSecret(Data(count: 16)))
    }

    @Test(.proves("SVC-135", "SVC-R-069"))
    func `the public channel has the well-known key, and zeros only where that is allowed`() throws {
        let radio = TableRadio()

        let (row, error, has) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            let had = try await channels.hasPublicChannel(deviceID: id)
            let row = try await channels.setupPublicChannel(deviceID: id)
            let has = try await channels.hasPublicChannel(deviceID: id)
            let error = await failure(of: .channels) {
                try await channels.setupPublicChannel(deviceID: id, usingZeroSecret: true)
            }
            return (row, error, [had, has])
        }

        #expect(row.index == 0)
        #expect(row.name == "Public")
        #expect(radio.slot(0).secret.hex == "8b3387e9c5cdea6ac9e5edbaa115cd72")
        #expect(error == .secretHashingFailed)
        #expect(has == [false, true])
    }

    @Test(.proves("SVC-135")) func `the oldest profile writes zeros on request, and only then`() throws {
        let radio = TableRadio()

        let (secrets, has) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels(.architectureV1)
            let id = bench.device.id
            try await channels.setupPublicChannel(deviceID: id)
            var secrets = [radio.slot(0).secret]
            let zero = try await channels.setupPublicChannel(deviceID: id, usingZeroSecret: true)
            secrets.append(radio.slot(0).secret)
            #expect(zero.name == "Public")
            return (secrets, try await channels.hasPublicChannel(deviceID: id))
        }

        #expect(secrets == [FixedBytes(ChannelService.publicSecret), FixedBytes()])
        #expect(has)
    }

    @Test(.proves("SVC-R-067", "SVC-137")) func `the first own channel leaves slot 0 to Public`() throws {
        let radio = Self.radio()

        let rows = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 40)
            try await channels.createChannel(deviceID: bench.device.id, name: "mine", passphrase: "secret")
            return try await channels.getChannels(deviceID: bench.device.id)
        }

        #expect(rows.map(\.index) == [0, 1])
        #expect(radio.slot(0) == ChannelSyncTests.publicChannel)
        #expect(radio.slot(1).name.text == "mine")
    }

    @Test(.proves("SVC-R-067")) func `a store that knows no slot yet leaves slot 0 alone all the same`() throws {
        let radio = Self.radio()

        let row = try withTableRadio(radio) { bench, _ in
            try await bench.channels().createChannel(deviceID: bench.device.id, name: "mine", passphrase: "secret")
        }

        #expect(row.index == 1)
        #expect(radio.slot(0) == ChannelSyncTests.publicChannel)
    }

    @Test(.proves("SVC-137")) func `a slot that another app took since the last sync is not overwritten`() throws {
        let radio = Self.radio { state in
            state.slots[1] = Resp.ChannelInfo(
                channelIndex: 1, name: FixedBytes(text: "known"), secret: ChannelSyncTests.secret(1))
        }

        let (row, names) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 40)
            radio.change { state in
                state.slots[2] = Resp.ChannelInfo(
                    channelIndex: 2, name: FixedBytes(), secret: ChannelSyncTests.secret(2))
            }
            let row = try await channels.createChannel(deviceID: bench.device.id, name: "mine", passphrase: "x")
            return (row, try await channels.getChannels(deviceID: bench.device.id).map(\.displayName))
        }

        #expect(row.index == 3)
        #expect(names == ["Public", "known", "Channel 2", "mine"])
        #expect(radio.slot(2).secret == ChannelSyncTests.secret(2))
    }

    @Test(.proves("SVC-137")) func `with all slots in use there is no free one`() throws {
        let radio = Self.radio { state in
            for slot in 1..<40 { state.slots[slot].secret = ChannelSyncTests.secret(UInt8(slot)) }
        }

        let (error, commands) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 40)
            _ = radio.takeCommands()
            let error = await failure(of: .channels) {
                try await channels.createChannel(deviceID: bench.device.id, name: "mine", passphrase: "x")
            }
            return (error, radio.takeCommands())
        }

        #expect(error == .noFreeSlot)
        #expect(!commands.contains(.setChannel))
    }

    @Test func `a channel that a slot holds already is not put into a second one`() throws {
        let radio = Self.radio()

        let (row, commands) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 40)
            _ = radio.takeCommands()
            let row = try await channels.importChannel(
                uri: "meshcore://channel/add?name=Public&secret=8b3387e9c5cdea6ac9e5edbaa115cd72",
                deviceID: bench.device.id)
            return (row, radio.takeCommands())
        }

        #expect(row.index == 0)
        #expect(commands == [.getChannel])
    }

    @Test func `the region of a link is kept, and goes out again with the channel's link`() throws {
        let radio = Self.radio()
        let uri = "meshcore://channel/add?name=crew&secret=00112233445566778899aabbccddeeff"

        let (rows, links, error, commands) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            try await channels.syncChannels(deviceID: id, maxChannels: 40)
            let new = try await channels.importChannel(uri: uri + "&region_scope=de", deviceID: id)
            let same = try await channels.importChannel(uri: uri, deviceID: id)
            let other = try await channels.importChannel(uri: uri + "&region_scope=%23nl", deviceID: id)
            let link = try await channels.exportChannelURI(id: new.id)
            let none = try await channels.setRegionScope(id: new.id, "")
            let bare = try await channels.exportChannelURI(id: new.id)
            _ = radio.takeCommands()
            let error = await failure(of: .channels) {
                try await channels.importChannel(uri: uri + "&region_scope=$club", deviceID: id)
            }
            return ([new, same, other, none], [link, bare], error, radio.takeCommands())
        }

        #expect(rows.map(\.regionScope) == ["de", "de", "nl", nil])
        #expect(Set(rows.map(\.id)).count == 1)
        #expect(links == [uri + "&region_scope=nl", uri])
        #expect(error == .privateRegion("$club") && commands.isEmpty)
    }

    @Test(.proves("SVC-136"))
    func `a channel is left by an empty name and a zero secret, and its row goes on OK`() throws {
        let radio = Self.radio { $0.slots[2].secret = ChannelSyncTests.secret(2) }

        let (frame, rows, updates) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let updates = Notes<[UInt8]>()
            try await channels.syncChannels(deviceID: bench.device.id, maxChannels: 4)
            channels.events.note(in: updates) {
                if case .channelsChanged(let rows) = $0 { rows.map(\.index) } else { nil }
            }
            _ = radio.takeFrames()
            try await channels.clearChannel(deviceID: bench.device.id, index: 2)
            return (
                radio.takeFrames(), try await channels.getChannels(deviceID: bench.device.id).map(\.index), updates.all
            )
        }

        #expect(frame == [SetChannel(channelIndex: 2, name: FixedBytes(), secret: FixedBytes()).encoded()])
        #expect(rows == [0])
        #expect(updates == [[0]])
    }

    @Test(.proves("SVC-R-076")) func `a channel that is left on a broken link stays`() throws {
        let radio = Self.radio()

        let (errors, rows) = try withTableRadio(radio) { bench, transport in
            let channels = bench.channels()
            let id = bench.device.id
            try await channels.syncChannels(deviceID: id, maxChannels: 4)
            await transport.failSends(with: .sendFailed("broken"))
            var errors = [
                await failure(of: .channels) { try await channels.clearChannel(deviceID: id, index: 0) }
            ]
            await transport.failSends(with: nil)
            radio.breakAnswers { $0[0] == CommandCode.setChannel.rawValue ? [] : nil }
            errors.append(
                await failure(of: .channels) { try await channels.clearChannel(deviceID: id, index: 0) })
            radio.breakAnswers { $0[0] == CommandCode.setChannel.rawValue ? [Frames.refusal(.fileIOError)] : nil }
            errors.append(
                await failure(of: .channels) { try await channels.clearChannel(deviceID: id, index: 0) })
            errors.append(
                await failure(of: .channels) {
                    try await channels.setChannel(deviceID: id, index: 0, name: "other", passphrase: "x")
                })
            return (errors, try await channels.getChannels(deviceID: id).map(\.name))
        }

        #expect(errors[0] == .sendFailed("broken"))
        #expect(errors.map { $0?.code } == ["send-failed", "timeout", "refused", "refused"])
        #expect(rows == ["Public"])
    }

    @Test func `a slot that the radio has not is told`() throws {
        let (errors, row) = try withTableRadio(Self.radio()) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            return (
                [
                    await failure(of: .channels) {
                        try await channels.setChannel(deviceID: id, index: 40, name: "x", passphrase: "x")
                    },
                    await failure(of: .channels) {
                        try await channels.clearChannel(deviceID: id, index: 41)
                    },
                    await failure(of: .channels) {
                        try await channels.fetchChannel(deviceID: id, index: 42)
                    },
                ], try await channels.fetchChannel(deviceID: id, index: 0)
            )
        }

        #expect(errors == [.invalidChannelIndex(40), .invalidChannelIndex(41), .invalidChannelIndex(42)])
        #expect(row?.name == "Public")
    }

    @Test func `a channel that is renamed keeps what the user made of it, and a long name is cut between characters`()
        throws
    {
        let radio = Self.radio()

        let (row, active) = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let id = bench.device.id
            let first = try await channels.setChannel(deviceID: id, index: 1, name: "club", passphrase: "x")
            try await channels.setChannelEnabled(id: first.id, false)
            try await channels.clearUnreadCount(channelID: first.id)
            let row = try await channels.setChannel(
                deviceID: id, index: 1, name: "a name of 31 bytes and then 🦊", passphrase: "x")
            #expect(row.id == first.id)
            try await channels.syncChannels(deviceID: id, maxChannels: 2)
            return (
                try await channels.getChannel(deviceID: id, index: 1),
                try await channels.getActiveChannels(deviceID: id).map(\.index)
            )
        }

        #expect(row?.isEnabled == false)
        #expect(row?.name == "a name of 31 bytes and then ")
        #expect(active == [0])
    }

    @Test func `a channel that is exported is the same for who imports it`() throws {
        let name = "Kaffee & Kuchen 🍰 100 %"
        let radio = Self.radio()
        let other = Self.radio()

        let link = try withTableRadio(radio) { bench, _ in
            let channels = bench.channels()
            let row = try await channels.createChannel(deviceID: bench.device.id, name: name, passphrase: "x")
            return try await channels.exportChannelURI(id: row.id)
        }
        try withTableRadio(other) { bench, _ in
            let channels = bench.channels()
            try await channels.importChannel(uri: link, deviceID: bench.device.id)
            let error = await failure(of: .channels) {
                try await channels.importChannel(
                    uri: "meshcore://channel/add?name=x&secret=00000000000000000000000000000000",
                    deviceID: bench.device.id)
            }
            #expect(error == .secretHashingFailed)
        }

        #expect(other.slot(1).name.text == ByteText(name))
        #expect(other.slot(1).secret == FixedBytes(ChannelService.hashSecret("x")))
    }
}
