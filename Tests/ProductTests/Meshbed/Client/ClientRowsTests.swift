import Foundation
import MeshCore
import MeshPacket
import PocketMeshServices
import PocketMeshUI
import Testing

@testable import meshbed

/// Lines of `meshbed client` for people: their words are those of the app's pages.
@Suite struct ClientRowsTests {
    private static let deviceID = StableIdentifier.device(publicKey: Data(repeating: 1, count: 32))

    private static func message(
        _ direction: MessageDirection, _ status: MessageStatus = .delivered, snr: Double? = nil
    ) -> MessageDTO {
        MessageDTO(
            id: deviceID, deviceID: deviceID, text: "hi", timestamp: 1_750_000_000,
            createdAt: Date(timeIntervalSince1970: 1_750_000_000), direction: direction, status: status,
            pathLength: 0xFF, snr: snr)
    }

    @Test func `a contact has the columns of its details on a page, with the beginning of its key`() {
        let contact = ContactDTO(
            deviceID: Self.deviceID, publicKey: Data(repeating: 0xAB, count: 32), name: "bob", isFavorite: true,
            onRadio: false, unreadCount: 2)

        let printed = PrintedContact(contact)

        let row = ContactRow(contact, style: PresentationStyle())
        #expect(printed.columns == ["bob * (not on the radio)", row.kind.label, "abababababab", "Flood", "", "2"])
        #expect(PrintedContact.heading == ["Name", "Type", "Public key", "Route", "Last heard", "Unread"])
    }

    @Test func `a message has the author, the route and the delivery of its bubble`() {
        let received = MessageRow(received: Self.message(.incoming, snr: 7.5), from: "bob", channel: "Public")
        let strange = MessageRow(received: Self.message(.incoming), from: nil)
        let sent = MessageRow(sent: Self.message(.outgoing), to: "bob")

        #expect(received.description.hasSuffix(" [Public] bob: hi  (Direct · 7.5 dB)"))
        #expect(strange.description.hasSuffix(" Unknown sender: hi  (Direct)"))
        #expect(sent.description.hasSuffix(" You: hi  (\(DeliveryStatus(.delivered).label))"))
    }

    @Test func `programs get the fields alone`() throws {
        let line = try BenchCommand.line(MessageRow(sent: Self.message(.outgoing, .failed), to: "bob"))

        #expect(line.contains(#""to":"bob""#) && line.contains(#""status":"failed""#))
        #expect(!line.contains("You"))
    }

    @Test func `a status has a line for each row of the page`() throws {
        let status = try NodeStatus([0x3C, 0x0F] + [UInt8](repeating: 0, count: 50), from: .room)

        let lines = StatusRow(status).description.split(separator: "\n")

        #expect(lines.first == "Battery: 3.9 V")
        #expect(lines.last == "Posts: 0")
        #expect(lines.count == status.rows.count)
    }

    @Test func `a neighbour has the name that only one contact fits`() throws {
        let entry: [UInt8] = [0xAB, 0xAB, 0xAB, 0xAB, 75, 0, 0, 0, 10]
        let page = try NeighboursPage([1, 0, 1, 0] + entry, prefixLength: 4)
        let neighbour = try #require(page.neighbours.first)
        let contact = ContactDTO(
            deviceID: Self.deviceID, publicKey: Data(repeating: 0xAB, count: 32), name: "North Hill")

        #expect(PrintedNeighbour(neighbour, among: [contact]).description == "North Hill: 2.5 dB, 1 min 15 s ago")
        #expect(PrintedNeighbour(neighbour, among: []).description == "abababab: 2.5 dB, 1 min 15 s ago")
    }
}
