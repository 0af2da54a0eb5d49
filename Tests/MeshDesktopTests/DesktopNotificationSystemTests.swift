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

        @Sendable func answer(_ path: String, _ method: String, _ arguments: [BusValue]) -> [BusValue]? {
            calls.withLock { $0.append((method, arguments)) }
            switch method {
            case "GetServerInformation": return [.string("desktop"), .string("us"), .string("1"), .string("1.2")]
            case "Notify":
                let earlier = arguments[1].number ?? 0
                return [.uint32(earlier == 0 ? UInt32(calls.withLock { $0.count }) : earlier)]
            case "CloseNotification": return []
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

    @Test func `what a reader does on the desktop reaches the app`() async throws {
        let bus = try PrivateBus()
        let desktop = Desktop()
        let player = try bus.play("org.freedesktop.Notifications") { path, method, arguments in
            method == "GetCapabilities"
                ? [.strings(["body", "inline-reply"])] : desktop.answer(path, method, arguments)
        }
        defer { player.stop() }
        let sink = DesktopNotificationSink(busAddress: bus.address)
        var answers = await sink.answers().makeAsyncIterator()
        for id in ["message-1", "message-2", "message-3"] { try await sink.show(Self.request(id)) }
        let shown = desktop.calls(of: "Notify")
        #expect(
            shown[1][5]
                == .strings(
                    [
                        "default", "Open", "inline-reply", "Reply", "MARK_READ_ACTION", "Mark as read",
                        "DISMISS_ACTION", "Dismiss",
                    ]))
        // The numbers are those of the calls, so they follow one another.
        let numbers = try #require(await sink.numbers.count == 3 ? await sink.numbers : nil)
        func signal(_ name: String, _ number: UInt32, _ text: String) {
            player.emit("/org/freedesktop/Notifications", name, [.uint32(number), .string(text)])
        }
        signal("ActionInvoked", 4711, "default")
        signal("ActionInvoked", numbers[0], "rm -rf")
        signal("ActionInvoked", numbers[0], "REPLY_ACTION")
        signal("ActionInvoked", numbers[0], "default")
        #expect(await answers.next() == .opened(Self.request("message-1")))
        signal("ActionInvoked", numbers[1], "MARK_READ_ACTION")
        #expect(await answers.next() == .performed(.markRead, Self.request("message-2"), text: ""))
        signal("NotificationReplied", numbers[2], "on my way")
        #expect(await answers.next() == .performed(.reply, Self.request("message-3"), text: "on my way"))
    }
}
