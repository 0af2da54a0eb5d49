import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Testing

/// Listings that break off, come damaged, or are given up.
@Suite struct ContactSyncFaultTests {
    private static func radio() -> TableRadio {
        TableRadio { state in
            for number in 2...11 { state.put(Frames.contact(UInt8(number), lastModified: UInt32(number) * 10)) }
        }
    }

    /// Ends listings after this number of contacts, without an END.
    private static func breaking(_ radio: TableRadio, after count: Int) {
        radio.breakAnswers { [weak radio] frame in
            guard frame[0] == CommandCode.getContacts.rawValue, let radio else { return nil }
            return [[UInt8]](radio.honestAnswer(frame).prefix(count + 1))
        }
    }

    @Test(.proves("SVC-076")) func `a listing that breaks off keeps what came, and the watermark as it was`() throws {
        let radio = Self.radio()
        Self.breaking(radio, after: 4)

        let (error, rows, mark, seconds, next) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let error = await failure(of: .contacts) {
                try await contacts.syncContacts(deviceID: bench.device.id)
            }
            let seconds = bench.seconds
            let rows = try await contacts.getContacts(deviceID: bench.device.id).count
            let mark = try await bench.watermark
            radio.breakAnswers(nil)
            return (error, rows, mark, seconds, try await contacts.syncContacts(deviceID: bench.device.id))
        }

        #expect(
            error
                == .syncInterrupted(
                    received: 4, .listingStalled(received: 4, total: 10, after: .seconds(15))))
        #expect(seconds == 15)
        #expect(rows == 4)
        #expect(mark == 0)
        #expect(next.contactsReceived == 10)
        #expect(next.lastSyncTimestamp == 110)
    }

    @Test func `a link that is lost in a listing keeps what came, and says so`() throws {
        let radio = Self.radio()
        Self.breaking(radio, after: 3)

        let (error, rows) = try withTableRadio(radio) { bench, transport in
            let contacts = bench.contacts()
            let clock = bench.clock
            async let loss: Void = {
                try await clock.sleep(for: .seconds(2))
                await transport.simulateLoss()
            }()
            let error = await failure(of: .contacts) {
                try await contacts.syncContacts(deviceID: bench.device.id)
            }
            try await loss
            let second = await failure(of: .contacts) {
                try await contacts.syncContacts(deviceID: bench.device.id)
            }
            #expect(second?.code == "connection-lost")
            return (error, try await contacts.getContacts(deviceID: bench.device.id).count)
        }

        #expect(error == .syncInterrupted(received: 3, .connectionLost("the link was closed")))
        #expect(rows == 3)
    }

    @Test func `a contact that cannot be read does not hide the others, and none is taken for gone`() throws {
        let radio = Self.radio()

        let (result, isOnRadio, mark, plan) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let id = bench.device.id
            try await contacts.syncContacts(deviceID: id)
            try await bench.store.resetContactWatermark(deviceID: id)
            radio.breakAnswers { [weak radio] frame in
                guard frame[0] == CommandCode.getContacts.rawValue, let radio else { return nil }
                var frames = radio.honestAnswer(frame)
                frames[3] = [UInt8](frames[3].prefix(60))
                return frames
            }
            let result = try await contacts.syncContacts(deviceID: id)
            return (
                result, try await bench.row(4)?.onRadio, try await bench.watermark,
                try await contacts.contactWatermark(deviceID: id)
            )
        }

        #expect(result.contactsReceived == 9)
        #expect(!result.isComplete)
        #expect(isOnRadio == true)
        #expect(mark == 0)
        #expect(plan == nil)
    }

    @Test(.proves("SVC-R-063"), arguments: [UInt64?.none, 1, 2, 3])
    func `a sync that is cancelled half-way rolls back whole, and the next one is not disturbed`(seed: UInt64?) throws {
        let radio = Self.radio()
        Self.breaking(radio, after: 4)

        let (wasCancelled, rows, next) = try withTableRadio(
            radio, order: seed.map { .drawn(Seed($0)) } ?? .arrival
        ) { bench, transport in
            let contacts = bench.contacts()
            let id = bench.device.id
            let pull = Task { try await contacts.syncContacts(deviceID: id) }
            try await bench.clock.sleep(for: .seconds(1))
            pull.cancel()
            let wasCancelled =
                await failure(as: CancellationError.self) { _ = try await pull.value } != nil
            let rows = try await contacts.getContacts(deviceID: id).count
            // The radio goes on with the listing that nobody waits for any more.
            radio.breakAnswers(nil)
            let next = Task { try await contacts.syncContacts(deviceID: id) }
            try await bench.clock.sleep(for: .seconds(1))
            for frame in radio.honestAnswer(GetContacts(since: nil).encoded()).dropFirst(5) {
                await transport.simulateReceive(frame)
            }
            return (wasCancelled, rows, try await next.value)
        }

        #expect(wasCancelled)
        #expect(rows == 0)
        #expect(next.contactsReceived == 10)
        #expect(next.isComplete)
    }

    @Test func `a radio that does not answer at all is told from a listing that broke off`() throws {
        let radio = Self.radio()
        radio.breakAnswers { $0[0] == CommandCode.getContacts.rawValue ? [] : nil }

        let error = try withTableRadio(radio) { bench, _ in
            await failure(of: .contacts) {
                try await bench.contacts().syncContacts(deviceID: bench.device.id)
            }
        }

        #expect(error == .session(.listingStalled(received: 0, total: 0, after: .seconds(15))))
    }
}
