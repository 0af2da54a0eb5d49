import Foundation
import MeshBus
import MeshTestSupport
import PocketMeshServices
import Synchronization
import Testing

@testable import MeshDesktop

/// Notifications on a bus of the tests' own.
@Suite(.serialized) struct DesktopNotificationSystemTests {
    private static func request(_ id: String, body: String = "hello") -> NotificationRequest {
        NotificationRequest(
            id: id, category: .directMessage, title: "bob", body: body, subject: .device, group: "contact-1")
    }

    /// A desktop that numbers what it shows.
    private final class Desktop: Sendable {
        let calls = Mutex<[(method: String, arguments: [BusValue])]>([])
        private let abilities: [String]

        init(abilities: [String] = ["body", "actions"]) { self.abilities = abilities }

        @Sendable func answer(_ path: String, _ method: String, _ arguments: [BusValue]) -> [BusValue]? {
            calls.withLock { $0.append((method, arguments)) }
            switch method {
            case "GetServerInformation": return [.string("desktop"), .string("us"), .string("1"), .string("1.2")]
            case "Notify":
                let earlier = arguments[1].number ?? 0
                return [.uint32(earlier == 0 ? UInt32(calls.withLock { $0.count }) : earlier)]
            case "CloseNotification": return []
            case "GetCapabilities": return [.strings(abilities)]
            default: return nil
            }
        }

        func calls(of method: String) -> [[BusValue]] {
            calls.withLock { $0.filter { $0.method == method }.map(\.arguments) }
        }
    }

    @Test func `a notification is shown, replaced and taken back`() async throws {
        let bus = try PrivateBus()
        let desktop = Desktop()
        let player = try bus.play("org.freedesktop.Notifications", desktop.answer)
        defer { player.stop() }
        let sink = DesktopNotificationSink(busAddress: bus.address)

        #expect(await sink.isAvailable())
        try await sink.show(Self.request("message-1", body: "5 < 6 & 7"))
        try await sink.show(Self.request("message-1", body: "again"))
        try await sink.show(Self.request("message-2"))
        await sink.remove(ids: ["message-1", "unknown"])

        let shown = desktop.calls(of: "Notify")
        #expect(shown.count == 3)
        #expect(shown[0][0] == .string("Meshbed") && shown[0][3] == .string("bob"))
        #expect(shown[0][4] == .string("5 &lt; 6 &amp; 7"), "some desktops take the body for markup")
        #expect(
            shown[0][5]
                == .strings(["default", "Open", "MARK_READ_ACTION", "Mark as read", "DISMISS_ACTION", "Dismiss"]))
        #expect(shown[0][1] == .uint32(0) && shown[2][1] == .uint32(0))
        let first = try #require(desktop.calls(of: "CloseNotification").first?.first)
        #expect(shown[1][1] == first, "the second took the place of the first, and was taken back")
        #expect(desktop.calls(of: "CloseNotification").count == 1)
    }

    /// The actions of users, as the desktop reports them; each waits for its effect.
    private struct Stage {
        let sink: DesktopNotificationSink
        let desktop: Desktop
        let player: PrivateBus.Player
        let responses: AsyncStream<NotificationResponse>

        init(_ bus: PrivateBus, abilities: [String] = ["actions", "inline-reply"]) async throws {
            desktop = Desktop(abilities: abilities)
            player = try bus.play("org.freedesktop.Notifications", desktop.answer)
            sink = DesktopNotificationSink(busAddress: bus.address)
            let (stream, source) = AsyncStream<NotificationResponse>.makeStream()
            responses = stream
            await sink.setResponseHandler { source.yield($0) }
        }

        func emit(_ name: String, _ arguments: BusValue..., path: String = "/org/freedesktop/Notifications") {
            switch arguments.count {
            case 1: player.emit(path, "org.freedesktop.Notifications", name, arguments[0])
            default: player.emit(path, "org.freedesktop.Notifications", name, arguments[0], arguments[1])
            }
        }

        /// The next responses, in their order.
        func take(_ count: Int) async -> [NotificationResponse] {
            var taken: [NotificationResponse] = []
            for await response in responses {
                taken.append(response)
                if taken.count == count { break }
            }
            return taken
        }
    }

    @Test func `clicks, buttons, replies and closing are handed on in their order`()
        async throws
    {
        let bus = try PrivateBus()
        let stage = try await Stage(bus)
        defer { stage.player.stop() }
        let requests = [Self.request("message-1"), Self.request("message-2", body: "second")]
        for request in requests { try await stage.sink.show(request) }
        let labels = stage.desktop.calls(of: "Notify")[0][5].parts.compactMap(\.text)
        let numbers: [BusValue] = [.uint32(2), .uint32(3)]
        #expect(labels.prefix(4) == ["default", "Open", "inline-reply", "Reply"])

        stage.emit("ActionInvoked", .uint32(77), .string("default"))
        stage.emit("ActionInvoked", numbers[0], .string("nonsense"))
        stage.emit("ActionInvoked", numbers[0], .string("default"), path: "/elsewhere")
        stage.emit("ActionInvoked", numbers[0])
        stage.emit("ActionInvoked", numbers[0], .string("inline-reply"))
        stage.emit("NotificationReplied", numbers[0], .string("on my way <b>"))
        stage.emit("ActionInvoked", numbers[0], .string("default"))
        stage.emit("ActionInvoked", numbers[1], .string("MARK_READ_ACTION"))
        stage.emit("NotificationClosed", numbers[1], .uint32(2))
        stage.emit("ActionInvoked", numbers[1], .string("default"))
        stage.emit("ActionInvoked", numbers[0], .string("DISMISS_ACTION"))

        #expect(
            await stage.take(5) == [
                .action(.reply, requests[0], text: "on my way <b>"), .action(.open, requests[0]),
                .action(.markRead, requests[1]), .closed(requests[1]), .action(.dismiss, requests[0]),
            ])
    }

    @Test
    func `another desktop replaces nothing of the one before, and only its own signals count`()
        async throws
    {
        let bus = try PrivateBus()
        let first = try await Stage(bus)
        let requests = [Self.request("message-1"), Self.request("message-2")]
        try await first.sink.show(requests[0])
        first.player.stop()
        let desktop = Desktop(abilities: [])
        let second = try bus.play("org.freedesktop.Notifications", desktop.answer)
        defer { second.stop() }
        func emit(_ number: UInt32) {
            second.emit(
                "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked", .uint32(number),
                .string("default"))
        }

        for request in requests { try await first.sink.show(request) }
        // Somebody else on the bus, whose call is answered behind the signal.
        let other = try Bus(.address(bus.address))
        other.emit(
            "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked",
            [.uint32(2), .string("default")])
        try other.own("org.test.Other")
        emit(UInt32(desktop.calls.withLock { $0.count }))

        #expect(await first.take(1) == [.action(.open, requests[1])])
        let labels = desktop.calls(of: "Notify").map { $0[5].parts.compactMap(\.text).contains("inline-reply") }
        #expect(labels == [false, false])
        #expect(desktop.calls(of: "Notify")[0][1] == .uint32(0), "nothing of the first desktop is replaced")
    }

    @Test func `without a service or a bus nothing is available`() async throws {
        let bus = try PrivateBus()
        for sink in [
            DesktopNotificationSink(busAddress: bus.address), DesktopNotificationSink(busAddress: "unix:path=/nowhere"),
        ] {
            #expect(await !sink.isAvailable())
            await #expect(throws: StackError(.notifications, .noNotifications)) {
                try await sink.show(Self.request("message-1"))
            }
        }
    }

    @Test func `a service that refuses says why, and one that comes back is used again`() async throws {
        let bus = try PrivateBus()
        let refusing = try bus.play("org.freedesktop.Notifications") { _, _, _ in nil }
        let sink = DesktopNotificationSink(busAddress: bus.address)

        await #expect(throws: StackError(.notifications, .notShown("not today"))) {
            try await sink.show(Self.request("message-1"))
        }
        refusing.stop()
        #expect(await !sink.isAvailable())
        let player = try bus.play("org.freedesktop.Notifications", Desktop().answer)
        defer { player.stop() }
        try await sink.show(Self.request("message-1"))
    }
}
