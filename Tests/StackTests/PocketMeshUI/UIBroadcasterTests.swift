import Foundation
import MeshTestSupport
import PocketMeshServices
import Testing

@testable import PocketMeshUI

@MainActor @Suite struct UIBroadcasterTests {
    private static let contact = ContactDTO(deviceID: UUID(), publicKey: Data(repeating: 2, count: 32), name: "bob")
    private static let message = MessageDTO(
        id: UUID(), deviceID: UUID(), contactID: contact.id, text: "hello", timestamp: 1, createdAt: Date(),
        direction: .incoming, status: .delivered)

    @Test(.proves("SVC-175")) func `each callback of a service is one event, of the right case`() {
        let id = UUID()
        let error = StackError(.sync, .syncFailed("no answer"))
        let cases: [(StackEvent, MessageEvent)] = [
            (
                .directMessageReceived(Self.message, Self.contact),
                .directMessageReceived(message: Self.message, contact: Self.contact)
            ),
            (
                .channelMessageReceived(Self.message, channelIndex: 3),
                .channelMessageReceived(message: Self.message, channelIndex: 3)
            ),
            (.messageDelivered(code: 7, roundTripTime: 900), .messageStatusUpdated(ackCode: 7)),
            (.messageFailed(messageID: id), .messageFailed(messageID: id)),
            (
                .messageRetried(messageID: id, retry: 2, maxRetries: 4),
                .messageRetrying(messageID: id, attempt: 2, maxAttempts: 4)
            ),
            (.sendChangedPath(contactID: id, isFlood: true), .routingChanged(contactID: id, isFlood: true)),
            (.routingChanged(contactID: id, isFlood: false), .routingChanged(contactID: id, isFlood: false)),
            (.unknownSender(keyPrefix: Data([1])), .unknownSender(keyPrefix: Data([1]))),
            (.syncGaveUp(error), .error(ErrorPresentation(error))),
            (.messageSent(messageID: id), .messageChanged(messageID: id)),
            (.repeatHeard(messageID: id, count: 1), .messageChanged(messageID: id)),
            (.imageReceived(Self.message), .messageChanged(messageID: Self.message.id)),
            (.postStatusChanged(messageID: id, .sent), .postChanged(messageID: id)),
            (.keepAliveAnswered(sessionID: id, unsynced: 3), .nodeChanged(sessionID: id)),
            (.repeaterTelemetry(sessionID: id, []), .nodeChanged(sessionID: id)),
            (.commandAnswered(sessionID: id, text: "OK"), .nodeChanged(sessionID: id)),
            (.batteryRead(deviceID: id, millivolts: 4000), .deviceChanged),
            (.syncActivityChanged(isShown: true), .syncChanged),
            (.contactListChanged, .contactsChanged), (.conversationListChanged, .conversationsChanged),
        ]
        let broadcaster = MessageEventBroadcaster()
        for (number, (told, expected)) in cases.enumerated() {
            broadcaster.broadcast(told)
            #expect(broadcaster.latestEvent == expected)
            #expect(broadcaster.latestNumber == UInt64(number + 1))
        }
        #expect(broadcaster.newMessageCount == 2)
        #expect(broadcaster.latestMessage == Self.message)
        let others: [StackEvent] = [
            .acknowledged(code: 7, tripTime: nil), .contactsFull, .contactsChanged(deviceID: id), .channelsChanged([]),
            .advertHeard(publicKey: Data([1])), .radioHeard(rssi: -80, snr: 6),
        ]
        for event in others { broadcaster.broadcast(event) }
        #expect(broadcaster.latestNumber == UInt64(cases.count), "what is told by itself is no event")
    }

    @Test func `a client resumes behind a number, and is told what it has missed`() {
        let broadcaster = MessageEventBroadcaster(capacity: 4)
        for index in 0..<11 { broadcaster.broadcast(.messageStatusUpdated(ackCode: UInt32(index))) }

        #expect(broadcaster.events(after: 11) == .init(events: [], hasMissed: false))
        #expect(broadcaster.events(after: 9).events.map(\.number) == [10, 11])
        #expect(!broadcaster.events(after: 7).hasMissed)
        #expect(broadcaster.events(after: 6).hasMissed)
        #expect(broadcaster.events(after: 0).events.map(\.number) == [8, 9, 10, 11])
        #expect(broadcaster.events(after: 12).hasMissed, "a number of another run")
        #expect(broadcaster.events(after: 8).events.map { EventPresentation($0).value } == [8, 9, 10])
    }

    @Test func `a stream has every event in order, and shows a gap by its numbers`() async {
        let broadcaster = MessageEventBroadcaster()
        let all = broadcaster.stream()
        let short = broadcaster.stream(bufferSize: 2)
        for _ in 0..<5 { broadcaster.broadcast(.contactsChanged) }
        var numbers: [UInt64] = []
        for await event in all {
            numbers.append(event.number)
            if numbers.count == 5 { break }
        }
        #expect(numbers == [1, 2, 3, 4, 5])
        var late: [UInt64] = []
        for await event in short {
            late.append(event.number)
            if late.count == 2 { break }
        }
        #expect(late == [4, 5])
    }
}
