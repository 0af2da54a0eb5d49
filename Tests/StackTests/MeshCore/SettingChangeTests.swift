import MeshCompanion
import MeshCore
import MeshVirtualTime
import MeshWire
import Testing

/// Settings that the radio accepts together only.
@Suite struct SettingChangeTests {
    @Test func `a change keeps what another app has changed since the radio introduced itself`() throws {
        try VirtualTime.run { clock in
            let stored = Notes<Resp.SelfInfo>([Fixture.selfInfo])
            let radio = MockTransport()
            await radio.answerEach { frame in
                guard var info = stored.all.last else { return [] }
                if frame.first == 1 { return [info.encoded()] }
                guard let change = try? SetOtherParams(decoding: frame) else { return [] }
                (info.manualAdd, info.multiAcks) = (change.manualAdd, change.multiAcks ?? 0)
                info.telemetryModes = change.telemetryModes ?? 0
                info.advertLocationPolicy = change.advertLocationPolicy ?? 0
                stored.add(info)
                return [[0]]
            }
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()
            var changed = Fixture.selfInfo
            (changed.manualAdd, changed.telemetryModes) = (1, 0x15)
            stored.add(changed)

            try await session.setMultiAcks(2)
            try await session.setAdvertLocationPolicy(1)

            let info = stored.all.last
            #expect(info?.multiAcks == 2)
            #expect(info?.advertLocationPolicy == 1)
            #expect(info?.manualAdd == 1)
            #expect(info?.telemetryModes == 0x15)
        }
    }

    @Test func `other flags of a contact are written with all else that is known of it`() throws {
        try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { $0.first == 1 ? [Fixture.selfInfo.encoded()] : [[0]] }
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()

            try await session.changeContactFlags(Fixture.contact(7), flags: 3)

            let written = try AddUpdateContact(decoding: try #require(await radio.sentFrames.last))
            #expect(written.flags == 3 && written.name == Fixture.contact(7).name)
        }
    }
}
