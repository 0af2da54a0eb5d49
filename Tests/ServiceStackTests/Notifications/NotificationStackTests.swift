import Foundation
import MeshTestSupport
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Testing

/// Actions of notifications with a whole stack behind them.
@Suite struct NotificationStackTests {
    @Test(.proves("SVC-160"), arguments: everyOrder)
    func `a reply is sent over the mesh; without a radio it is a draft, and reading needs no radio`(
        order: VirtualTime.Order
    ) throws {
        let outcome = try withStack(order: order) { bench in
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            let notifications = try await bench.required(bench.manager.container).notificationService
            let request = NotificationRequest(
                id: "1", category: .directMessage, title: "bob", body: "hi", subject: .contact(contact.id),
                group: "contact-\(contact.id)")

            await notifications.perform(.reply, on: request, text: "over the mesh")
            let needless = await notifications.consumeDraft(for: contact.id)
            let sent = try await bench.store.fetchMessages(
                deviceID: contact.deviceID, thread: .contact(contact.id))
            try await bench.store.incrementUnreadCount(contactID: contact.id)
            await bench.manager.disconnect()
            await notifications.perform(.markRead, on: request)
            let unread = try await bench.store.fetchContact(id: contact.id)?.unreadCount
            await notifications.perform(.reply, on: request, text: "too late")
            let draft = await notifications.consumeDraft(for: contact.id)
            let all = try await bench.store.fetchMessages(deviceID: contact.deviceID, thread: .contact(contact.id))
            return (sent.map { "\($0.text) \($0.status)" }, unread, [needless, draft], all.count)
        }

        #expect(outcome.0 == ["over the mesh delivered"])
        #expect(outcome.1 == 0)
        #expect(outcome.2 == [nil, "too late"])
        #expect(outcome.3 == 1)
    }
}
