import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// One message from the call to its last state.
@Suite struct SendingTests {
    @Test(.proves("SVC-091", "SVC-101", "SVC-124"))
    func `a message is stored as pending before its first byte, as a reply if it is one`() throws {
        try withMessages([.take(confirmedAfter: [.milliseconds(900)])]) { messages in
            let created = Notes<(MessageDTO, written: Int)>()
            let other = UUID()
            let row = try await messages.service.sendMessageWithRetry(
                text: "hello", to: messages.bob, replyToID: other
            ) { row in
                let stored = try? await messages.row(row.id)
                created.add((stored ?? row, messages.script.texts.count))
            }

            let first = try #require(created.all.first)
            #expect(created.all.count == 1 && first.written == 0)
            #expect(first.0.status == .pending && first.0.id == row.id && first.0.replyToID == other)
            #expect(row.status == .delivered && row.replyToID == other && row.roundTripTime == 900)
            // Nothing of the reply is on the air but its text.
            #expect(messages.script.texts.map(\.text) == ["hello"])
            #expect(messages.script.texts.map(\.timestamp) == [row.timestamp])
        }
    }

    @Test(.proves("SVC-092")) func `a text to a repeater is refused before anything is stored or written`() throws {
        try withMessages([.take()]) { messages in
            var repeater = messages.bob
            repeater.typeRawValue = NodeType.repeater.rawValue
            for type in [NodeType.chat, .room, .sensor] {
                var contact = messages.bob
                contact.typeRawValue = type.rawValue
                _ = try await messages.service.sendDirectMessage(text: "\(type)", to: contact)
            }
            let recipient = repeater

            await #expect(throws: StackError(.messages, .invalidRecipient)) {
                try await messages.service.sendMessageWithRetry(text: "hello", to: recipient)
            }
            await #expect(throws: StackError(.messages, .invalidRecipient)) {
                try await messages.service.enqueueDirectMessage(text: "hello", to: recipient)
            }
            #expect(messages.script.texts.count == 3)
            #expect(try await messages.rows().count == 3)
        }
    }

    @Test(
        .proves("SVC-093"),
        arguments: [("architectureV2", StackProfile.architectureV2, 160), ("upstreamFinal", .upstreamFinal, 150)])
    func `the limit of direct texts counts bytes`(name: String, profile: StackProfile, limit: Int) throws {
        try withMessages([.take()], profile: profile) { messages in
            // Three bytes each, so that fewer characters than bytes are meant.
            let longest = String(repeating: "€", count: limit / 3) + String(repeating: "a", count: limit % 3)
            _ = try await messages.service.sendDirectMessage(text: longest, to: messages.bob)
            await #expect(throws: StackError(.messages, .messageTooLong(count: limit + 1, limit: limit))) {
                try await messages.service.sendDirectMessage(text: longest + "a", to: messages.bob)
            }
            await #expect(throws: StackError(.messages, .notSent("it is empty"))) {
                try await messages.service.sendDirectMessage(text: "", to: messages.bob)
            }

            #expect(messages.script.texts.map(\.text.count) == [limit])
            #expect(try await messages.rows().count == 1)
        }
    }

    @Test func `a text that the radio would end early is refused, and not stored`() throws {
        try withMessages([.take()]) { messages in
            let channel = try await messages.addChannel()
            for text in ["\0", "before\0behind"] {
                let refusal = StackError(.messages, .notSent("it has a NUL character"))
                await #expect(throws: refusal) {
                    try await messages.service.sendDirectMessage(text: text, to: messages.bob)
                }
                await #expect(throws: refusal) {
                    try await messages.service.enqueueDirectMessage(text: text, to: messages.bob)
                }
                await #expect(throws: refusal) {
                    try await messages.service.sendChannelMessage(
                        text: text, channelIndex: channel.index, deviceID: messages.device)
                }
            }

            #expect(messages.script.commands.isEmpty)
            #expect(try await messages.rows().isEmpty)
        }
    }

    @Test(.proves("SVC-093")) func `a link of shorter frames takes shorter texts`() throws {
        try withMessages([.take()]) { messages in
            await messages.radio.setCapabilities(TransportCapabilities(maxFrame: 172))
            await #expect(throws: StackError(.messages, .messageTooLong(count: 160, limit: 159))) {
                try await messages.service.sendDirectMessage(
                    text: String(repeating: "a", count: 160), to: messages.bob)
            }
        }
    }

    @Test(.proves("SVC-094", "SVC-095"))
    func `SENT gives the row its code, the confirmation its end and the radio's trip time`() throws {
        try withMessages([.take(limit: 4000)]) { messages in
            let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            #expect(sent.status == .sent)
            #expect(sent.ackCode == messages.script.acks.first && sent.ackCode != nil)

            try await messages.clock.sleep(for: .seconds(3))
            await messages.confirm(sent.ackCode ?? 0, tripTime: 812)
            try await messages.clock.sleep(for: .milliseconds(1))

            let row = try await messages.row(sent.id)
            #expect(row?.status == .delivered && row?.roundTripTime == 812)
            #expect(messages.told.all == ["delivered 812"])
        }
    }

    @Test(.proves("SVC-095")) func `without a trip time the round trip is measured from the write`() throws {
        try withMessages([.take(limit: 4000)]) { messages in
            // Another command holds the turn for 700 ms: that is no part of the round trip.
            let slow = Task { try? await messages.bench.session.send(GetDeviceTime()) }
            await messages.radio.waitUntilSent(4)
            let sending = Task { try await messages.service.sendDirectMessage(text: "hello", to: messages.bob) }
            try await messages.clock.sleep(for: .milliseconds(700))
            await messages.radio.simulateReceive(Resp.CurrTime(epoch: 1).encoded())
            _ = await slow.value
            let sent = try await sending.value
            try await messages.clock.sleep(for: .milliseconds(1234))
            var frame = Push.SendConfirmed(ack: sent.ackCode ?? 0, roundTrip: 1).encoded()
            frame.removeLast(4)
            await messages.radio.simulateReceive(frame)
            try await messages.clock.sleep(for: .milliseconds(1))

            #expect(try await messages.row(sent.id)?.roundTripTime == 1234)
        }
    }

    @Test(.proves("SVC-096"))
    func `more confirmations of one code are repeats, for a minute and nothing else`() throws {
        try withMessages([.take(limit: 4000)]) { messages in
            let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            let code = sent.ackCode ?? 0
            await messages.confirm(code, tripTime: 500)
            for _ in 0..<2 {
                try await messages.clock.sleep(for: .seconds(29))
                await messages.confirm(code, tripTime: 900)
            }
            try await messages.clock.sleep(for: .seconds(3))
            await messages.confirm(code, tripTime: 900)
            try await messages.clock.sleep(for: .seconds(1))

            let row = try await messages.row(sent.id)
            #expect(row?.heardRepeats == 2)
            #expect(row?.roundTripTime == 500 && row?.status == .delivered)
            #expect(messages.told.all == ["delivered 500"])
        }
    }

    @Test(.proves("SVC-103", "SVC-R-025"))
    func `a confirmation is not lost that comes before SENT or right behind it`() throws {
        let confirmation: @Sendable (UInt32) -> [UInt8] = { Push.SendConfirmed(ack: $0, roundTrip: 5).encoded() }
        let before: @Sendable (UInt32) -> [[UInt8]] = { [confirmation($0), Frames.sent($0)] }
        let behind: @Sendable (UInt32) -> [[UInt8]] = { [Frames.sent($0), confirmation($0)] }
        for frames in [before, behind] {
            for order in [VirtualTime.Order.arrival] + (1...8).map({ .drawn(Seed($0)) }) {
                try withMessages([.answer(frames)], order: order) { messages in
                    let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
                    try await messages.clock.sleep(for: .milliseconds(1))

                    #expect(row.status == .delivered && row.roundTripTime == 5)
                    #expect(messages.script.texts.count == 1)
                    #expect(messages.told.all == ["delivered 5"])
                }
            }
        }
    }

    @Test(.proves("SVC-103")) func `a confirmation counts although the answer to the send was lost`() throws {
        try withMessages([.answer { [Push.SendConfirmed(ack: $0, roundTrip: 5).encoded()] }]) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            #expect(row.status == .delivered && messages.clock.now.sinceStart == .seconds(5))
            #expect(messages.told.all == ["delivered 5"])
        }
    }

    @Test(.proves("SVC-R-026"))
    func `a storm of heard packets pushes no confirmation out`() throws {
        try withMessages([.take(limit: 10_000)]) { messages in
            let service = messages.service
            let first = Task { try await service.sendMessageWithRetry(text: "one", to: messages.bob) }
            await messages.radio.waitUntilSent(4)
            let second = Task { try await service.sendMessageWithRetry(text: "two", to: messages.bob) }
            await messages.radio.waitUntilSent(5)
            for code in messages.script.acks {
                for _ in 0..<500 {
                    // A channel text that is nobody's.
                    let packet: [UInt8] = [0x15, 0, 0x11] + [UInt8](repeating: 7, count: 34)
                    await messages.radio.simulateReceive(Push.LogRxData(snr: 1, rssi: -90, raw: packet).encoded())
                }
                await messages.confirm(code)
            }

            let statuses = try await [first.value.status, second.value.status]
            #expect(statuses == [.delivered, .delivered])
            #expect(messages.script.texts.count == 2)
            #expect(messages.told.all == ["delivered 7", "delivered 7"])
        }
    }

    @Test(.proves("SVC-R-032")) func `the last four bytes of a confirmation are the trip time`() throws {
        try withMessages([.take(limit: 4000)]) { messages in
            let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            let code = withUnsafeBytes(of: (sent.ackCode ?? 0).littleEndian) { [UInt8]($0) }
            await messages.radio.simulateReceive([0x82] + code + [0x2C, 0x03, 0, 0])
            try await messages.clock.sleep(for: .milliseconds(1))

            #expect(try await messages.row(sent.id)?.roundTripTime == 812)
        }
    }

    @Test(.proves("SVC-111")) func `a radio without room is asked again after half a second, one and two`() throws {
        try withMessages([.refuse(.tableFull), .refuse(.tableFull), .refuse(.tableFull), .take()]) { messages in
            let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            let waited = messages.clock.now.sinceStart

            #expect(sent.status == .sent)
            #expect(messages.script.texts.map(\.attempt) == [0, 0, 0, 0])
            #expect((.milliseconds(2800)...(.milliseconds(4200))).contains(waited) && waited != .milliseconds(3500))
        }
        try withMessages([.refuse(.tableFull)]) { messages in
            await #expect(throws: StackError(.messages, .notSent("the radio has no room for it"))) {
                try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            }
            #expect(messages.script.texts.count == 4)
            let statuses = try await messages.statuses()
            #expect(statuses == [.failed])
            #expect(messages.told.all == ["failed"])
        }
    }

    @Test func `a refusal fails the message, and the caller learns why`() throws {
        try withMessages([.refuse(.illegalArg)]) { messages in
            await #expect(throws: StackError(.messages, .session(.refused(.sendTxtMsg, .illegalArg)))) {
                try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            }
            let statuses = try await messages.statuses()
            #expect(statuses == [.failed])
            #expect(messages.told.all == ["failed"])
        }
    }

    @Test(.proves("SVC-R-061")) func `a contact that the radio has dropped is added again before the message`() throws {
        // The store knows that it is gone; the store does not know it yet.
        for isKnown in [true, false] {
            try withMessages(isKnown ? [.take()] : [.refuse(.notFound), .take()]) { messages in
                if isKnown {
                    try await messages.store.markContactOffRadio(
                        deviceID: messages.device, publicKey: messages.bob.publicKey)
                }
                try await messages.store.updateContactPreferences(
                    id: messages.bob.id, nickname: "Bobby", isBlocked: false, isFavorite: true)
                let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)

                #expect(sent.status == .sent)
                #expect(
                    messages.script.codes
                        == (isKnown ? [] : [.sendTxtMsg]) + [.addUpdateContact, .sendTxtMsg])
                let added = messages.script.commands.compactMap { try? AddUpdateContact(decoding: $0) }.first
                #expect(added?.publicKey == Frames.key(2))
                #expect(added?.flags == 1)
                let bob = try await messages.store.fetchContact(id: messages.bob.id)
                #expect(bob?.onRadio == true && bob?.nickname == "Bobby")
            }
        }
        try withMessages([.refuse(.notFound)]) { messages in
            await #expect(throws: StackError(.messages, .contactNotFound)) {
                try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            }
            #expect(messages.script.codes == [.sendTxtMsg, .addUpdateContact, .sendTxtMsg])
        }
    }

    @Test(.proves("SVC-R-043")) func `a message and a status request at once have each its own SENT`() throws {
        try withMessages([.take(limit: 4000)]) { messages in
            let status = Task { try? await messages.bench.session.sendStatusRequest(to: Frames.key(9)) }
            let sending = Task { try await messages.service.sendDirectMessage(text: "hello", to: messages.bob) }
            await messages.radio.waitUntilSent(4)
            // The answer to the request comes late, and has a tag that no message may take.
            try await messages.clock.sleep(for: .seconds(1))
            await messages.radio.simulateReceive(Frames.sent(0x0BAD))
            let sent = try await sending.value

            #expect(messages.script.codes == [.sendStatusReq, .sendTxtMsg])
            #expect(sent.ackCode == messages.script.acks.first && sent.ackCode != 0x0BAD)
            status.cancel()
        }
    }
}
