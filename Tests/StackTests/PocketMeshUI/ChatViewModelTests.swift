import Foundation
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import StackTestSupport
import Testing

@testable import PocketMeshUI

@Suite struct ChatViewModelTests {
    @Test(arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2))])
    func `a text is sent, acknowledged and answered`(order: VirtualTime.Order) throws {
        try withApp(order: order) { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            chat.draft = "hello bob"
            #expect(chat.counter.text == "9 / 160")
            #expect(await chat.send())
            #expect(chat.draft == "")
            #expect(chat.messages.map(\.text) == ["hello bob"])

            #expect(await bench.wait { chat.messages.first?.status?.kind == .acknowledged })
            let sent = try #require(chat.messages.first)
            #expect(sent.side == .outgoing && sent.sender == nil)
            #expect(sent.status?.label == "Acknowledged")
            #expect(sent.timestamp.isShown && sent.timestamp.text.hasPrefix("14 Jun 2025, "))
            let details = try #require(await chat.details(of: sent.id))
            #expect(details.rows.contains { $0.label == "Round trip" })

            // The acknowledgement is still on the air.
            try await bench.pass(10)
            try await bench.text(from: bob, "hello alice")
            #expect(await bench.wait { chat.messages.count == 2 })
            let answer = try #require(chat.messages.last)
            #expect(answer.side == .incoming && answer.sender == contact.displayName && answer.status == nil)
            #expect(answer.metadata.contains("dB"))
            #expect(bench.app.messageEventBroadcaster.newMessageCount == 1)
            #expect(bench.app.messageEventBroadcaster.latestMessage?.text == "hello alice")
        }
    }

    @Test func `the details of a message show its attempts, its way over a repeater and its packet`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            _ = try await bench.know("rep1")
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            #expect(await chat.send(text: "hello bob"))
            #expect(await bench.wait { chat.messages.first?.status?.kind == .acknowledged })
            try await bench.pass(10)
            try await bench.text(from: bob, "hello alice")
            #expect(await bench.wait { chat.messages.count == 2 })

            let sent = try #require(await chat.details(of: chat.messages[0].id)?.way)
            let heard = try #require(await chat.details(of: chat.messages[1].id)?.way)
            #expect(sent.attempts.first?.number == 1 && sent.attempts.first?.time.contains("2025") == true)
            #expect(sent.copies.isEmpty && sent.packet == nil)
            #expect(heard.attempts.isEmpty)
            let copy = try #require(heard.copies.first)
            #expect(copy.stations.first?.name == contact.displayName && copy.stations.last?.key == nil)
            #expect(copy.stations.contains { $0.snr?.hasSuffix(" dB") == true })
            #expect(heard.packet?.text.contains("TXT_MSG") == true && heard.packet?.hex.isEmpty == false)
            if chat.messages[1].metadata.contains("hop") {
                #expect(copy.stations.map(\.name).contains("rep1"), "by flood its repeaters are named")
            }
        }
    }

    @Test func `what a repeater passes on of a channel's message is shown with its way`() throws {
        try withApp { bench in
            try await bench.connect()
            _ = try await bench.know("rep1")
            let device = try bench.required(bench.app.deviceID)
            let row = try await bench.app.store.fetchChannels(deviceID: device).first
            let channel = try #require(row)
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.channel(channel))
            #expect(await chat.send(text: "hello all"))
            try await bench.pass(20)

            let way = try #require(await chat.details(of: chat.messages[0].id)?.way)
            #expect(way.attempts.map(\.number) == [1] && way.attempts[0].stations.isEmpty)
            #expect(way.copies.map { $0.stations.map(\.name) } == [[bench.app.connectedDevice?.nodeName, "rep1"]])
            #expect(way.copies[0].stations[1].snr?.hasSuffix(" dB") == true)
            #expect(way.packet?.text.contains("hello all") == true, "the channel's secret opens it")
        }
    }

    @Test func `what arrives in an open conversation counts as read, also while the conversation is being read`() throws
    {
        try withApp { bench in
            let store = bench.app.store
            let (device, contact) = try await Rows.conversation(in: store)
            try await bench.app.initialize()
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))

            try await Rows.fill(store, device, contact, count: 1)
            let message = try #require(
                await store.fetchMessages(deviceID: device, thread: .contact(contact.id), limit: 1).first)
            // The second event comes while the first one still has the conversation read again.
            bench.app.messageEventBroadcaster.broadcast(MessageEvent.conversationsChanged)
            bench.app.messageEventBroadcaster.broadcast(
                MessageEvent.directMessageReceived(message: message, contact: contact))

            #expect(await bench.wait { chat.messages.count == 1 })
            #expect(await bench.wait { (try? await store.fetchContact(id: contact.id))??.unreadCount == 0 })
        }
    }

    @Test func `without a radio a text waits, can be deleted, and goes out when the radio is back`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            await bench.app.disconnect()
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            for text in ["first", "second"] {
                chat.draft = text
                #expect(await chat.send())
            }
            #expect(chat.messages.map { $0.status?.kind } == [.queued, .queued])
            #expect(chat.queuedCount == 2)
            #expect(chat.messages[0].actions.contains(.deleteQueued))
            await chat.deleteQueued(messageID: chat.messages[0].id)
            #expect(chat.messages.map(\.text) == ["second"] && chat.queuedCount == 1)

            try await bench.connect()
            #expect(await bench.wait { chat.messages.first?.status?.kind == .acknowledged })
            #expect(chat.queuedCount == 0)
        }
    }

    @Test func `a text waits, is sent and is acknowledged, in this order`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            await bench.app.disconnect()
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            let seen = Notes<DeliveryStatus>()
            let subscription = bench.app.messageEventBroadcaster.observe { _ in
                guard let status = chat.messages.first?.status, status != seen.all.last else { return }
                seen.add(status)
            }
            #expect(await chat.send(text: "hello bob"))
            try await bench.connect()
            #expect(await bench.wait { chat.messages.first?.status?.kind == .acknowledged })
            subscription.cancel()

            let kinds = seen.all.map(\.kind)
            #expect(kinds.first == .queued && kinds.contains(.sent) && !kinds.contains(.failed))
            let last = try #require(chat.messages.first?.status)
            #expect(last.label == "Acknowledged" && last.detail != last.label, "it says after which time")
        }
    }

    @Test func `a text too long stays typed, and says how many bytes too many`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("bob")
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            chat.draft = String(repeating: "ü", count: 81)
            #expect(chat.counter.left == -2 && chat.counter.isOver && !chat.canSend)
            #expect(chat.counter.accessibilityLabel == "2 bytes too many")
            #expect(await !chat.send())
            #expect(chat.draft.count == 81 && chat.messages.isEmpty)
        }
    }

    @Test func `a message that nobody acknowledges fails, and is sent again on request`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            await bench.mesh.world.withWorld { world in world.node(labelled: "rep1").map { world.powerOff($0) } }
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            chat.draft = "anybody?"
            await chat.send()
            #expect(await bench.wait(600) { chat.messages.first?.status?.kind == .failed })
            #expect(chat.messages[0].actions.contains(.retry))
            #expect(bench.app.linkQuality.timeouts == 1)

            await bench.mesh.world.withWorld { world in world.node(labelled: "rep1").map { world.powerOn($0) } }
            try await bench.pass(30)
            await chat.retry(messageID: chat.messages[0].id)
            #expect(await bench.wait(600) { chat.messages.first?.status?.kind == .acknowledged })
            #expect(bench.app.linkQuality.timeouts == 0)
        }
    }

    @Test func `a failure offers three tries, and goes with a success or when it was read`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("bob")
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            let (calls, works) = (Notes<Int>(), Notes<Bool>())
            let work: @MainActor () async throws -> Void = {
                calls.add(1)
                if works.all.isEmpty { throw StackError(.messages, .notConnected) }
            }

            chat.follow(work)
            #expect(await bench.wait { chat.retry?.tries == 1 })
            #expect(chat.canTryAgain && chat.retry?.error.code == "not-connected")
            chat.tryAgain()
            #expect(await bench.wait { chat.retry?.tries == 2 })
            works.add(true)
            chat.tryAgain()
            #expect(await bench.wait { chat.retry == nil })
            #expect(calls.all.count == 3 && !chat.canTryAgain)

            chat.follow { throw StackError(.messages, .notConnected) }
            #expect(await bench.wait { chat.retry?.tries == 1 })
            for tries in 2...3 {
                chat.tryAgain()
                #expect(await bench.wait { chat.retry?.tries == tries })
            }
            #expect(!chat.canTryAgain)
            chat.dismissRetry()
            #expect(chat.retry == nil)

            chat.follow(isRepeatable: false) { throw StackError(.messages, .notConnected) }
            #expect(await bench.wait { chat.retry != nil })
            #expect(!chat.canTryAgain)
        }
    }

    @Test(.proves("SVC-178")) func `ten thousand messages are read page by page, without a radio`() throws {
        let store = try PersistenceStore()
        try withApp(store: store) { bench in
            let (device, contact) = try await Rows.conversation(in: store)
            try await Rows.fill(store, device, contact, count: 10_000)
            try await bench.app.initialize()
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            #expect(chat.messages.count == 50 && chat.hasOlder)
            #expect(chat.messages.last?.text == "message 9999" && chat.messages.first?.text == "message 9950")
            await chat.loadOlder()
            #expect(chat.messages.count == 100 && chat.messages.first?.text == "message 9900")
            // What comes meanwhile moves no page.
            try await Rows.fill(store, device, contact, count: 3, from: 10_000)
            await chat.reload()
            #expect(chat.messages.count == 103 && chat.messages.first?.text == "message 9900")
            for _ in 0..<300 where chat.hasOlder { await chat.loadOlder() }
            #expect(chat.messages.count == 10_003 && chat.messages.first?.text == "message 0" && !chat.hasOlder)

            let old = try #require(chat.messages.first { $0.text == "message 9700" })
            await chat.open(.direct(contact), at: old.id)
            #expect(chat.focusedMessageID == old.id && chat.messages.contains { $0.id == old.id })
            #expect(chat.messages.count < 400)

            let found = await chat.search("MESSAGE 123")
            #expect(found.map(\.text) == ["message 123"] + (1230...1239).map { "message \($0)" })
        }
    }

    @Test func `an answer quotes what it answers`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            try await bench.text(from: bob, "dinner at eight?")
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            #expect(await bench.wait { bench.app.messageEventBroadcaster.newMessageCount == 1 })
            await chat.open(.direct(contact))
            chat.reply(to: try #require(chat.messages.first?.id))
            #expect(chat.replyTarget?.text == "dinner at eight?")
            chat.cancelReply()
            #expect(chat.replyTarget == nil)
            chat.reply(to: try #require(chat.messages.first?.id))
            #expect(await chat.send(text: chat.quickReplies[0]))
            #expect(chat.replyTarget == nil)
            let answer = try #require(chat.messages.last)
            #expect(answer.text == "Yes" && answer.quote?.text == "dinner at eight?")
            #expect(answer.quote?.sender == contact.displayName)
        }
    }
}
