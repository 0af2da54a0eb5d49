import Foundation
import MeshCore
import MeshDesktop
import MeshTestSupport
import PocketMeshServices
import PocketMeshUI
import StackTestSupport
import Testing

@Suite struct ImageAndAdvertTests {
    @Test func `adverts, discovery and imports say what they have done`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contacts = ContactsViewModel()
            contacts.configure(appState: bench.app)
            await contacts.sendAdvert(flood: true)
            #expect(contacts.feedback == "The advert was sent to the whole mesh.")
            #expect(
                await bench.wait {
                    (try? await bob.session.getContacts().contacts.count) ?? 0 > 0
                }, "bob has heard it")
            await contacts.sendAdvert(flood: false)
            #expect(contacts.feedback == "The advert was sent to those who hear this radio.")
            await contacts.requestDiscovery()
            #expect(contacts.error == nil)
            let link = ContactLink(name: "Zed", publicKey: Data(repeating: 9, count: 32)).description
            await contacts.importContact(link)
            #expect(contacts.feedback == "The contact was added." && contacts.contacts.map(\.name) == ["Zed"])
            await contacts.sync()
            #expect(contacts.error == nil && !contacts.isSyncing)
            await contacts.export()
            #expect(contacts.exportedURI?.contains("public_key=") == true)
            await contacts.importContact("nonsense")
            #expect(contacts.error?.code == "invalid-contact-link")
        }
    }

    @Test func `a picture is made small, sent with progress and shown`() throws {
        let pixels = (0..<(200 * 100 * 3)).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let picture = try #require(Picture(width: 200, height: 100, pixels: pixels))
        let jpeg = try JPEGCodec().encode(picture, quality: 0.9)
        try withApp(codec: JPEGCodec()) { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            var contact = try await bench.meet(bob)
            // A radio answers the search for a path as a request for telemetry.
            try await bob.session.setTelemetryModes(base: 2)
            let path = PathManagementViewModel()
            path.configure(appState: bench.app)
            await path.open(contactID: contact.id)
            for _ in 0..<5 where path.isFlood { await path.discover() }
            contact = try #require(try await bench.app.store.fetchContact(id: contact.id))

            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            var fractions: [Double] = []
            let subscription = bench.app.messageEventBroadcaster.observe { _ in
                if let fraction = chat.messages.last?.imageProgress?.fraction { fractions.append(fraction) }
            }
            await chat.sendImage(jpeg)
            #expect(chat.error == nil)
            #expect(await bench.wait(600) { chat.messages.last?.status?.kind == .sent })
            #expect(fractions.contains { $0 > 0 && $0 < 1 })
            let bubble = try #require(chat.messages.last)
            #expect(bubble.isImage && bubble.text == "" && bubble.imageProgress == nil)
            let blob = try #require(await chat.image(of: bubble.id))
            #expect(blob.mime == "image/jpeg" && blob.data.count < jpeg.count)
            #expect(try JPEGCodec().decode(blob.data).width == 96)
            subscription.cancel()
        }
    }
}
