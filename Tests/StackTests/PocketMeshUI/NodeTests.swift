import Foundation
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshWire
import PocketMeshServices
import PocketMeshUI
import StackTestSupport
import Testing

@Suite struct NodeTests {
    @Test func `a room is joined, read, written and left`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("room1")
            let room = RoomConversationViewModel()
            room.configure(appState: bench.app)
            await room.open(contactID: contact.id)
            #expect(room.name == "room1" && !room.canPost && room.posts.isEmpty)
            for _ in 0..<7 where !room.isConnected { await room.join(password: "hello") }
            #expect(room.isConnected && room.canPost && room.login.hasPassword)
            #expect(room.login.permission == "Member: may read and write" && room.login.error == nil)
            #expect(!room.login.isLoggingIn && room.login.secondsLeft == nil)

            room.draft = "hello room"
            #expect(await room.post())
            #expect(room.draft == "" && room.posts.map(\.text) == ["hello room"])
            #expect(room.posts[0].side == .outgoing && room.posts[0].author == "You")
            #expect(await bench.wait { room.posts.first?.status?.kind == .acknowledged })

            room.draft = String(repeating: "x", count: 152)
            #expect(room.counter.isOver)
            #expect(await !room.post())
            #expect(room.posts.count == 1)

            let list = ChatListViewModel()
            list.configure(appState: bench.app)
            await list.load()
            #expect(list.rows.contains { $0.kind == .room && $0.preview == "You: hello room" })
            await room.leave()
            #expect(room.session == nil && room.error == nil)
        }
    }

    @Test func `a wrong password shows why, and nothing is kept`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("rep1")
            let repeater = RepeaterStatusViewModel()
            repeater.configure(appState: bench.app)
            await repeater.open(contactID: contact.id)
            await repeater.logIn(password: "wrong")
            #expect(!repeater.isConnected && !repeater.login.hasPassword)
            #expect(repeater.login.error?.title == "Remote node" && repeater.login.error?.recovery.isEmpty == false)
        }
    }

    @Test func `a repeater tells its administrator status, neighbours and answers, until the page closes`() throws {
        try withApp(.town) { bench in
            try await bench.connect()
            let contact = try await bench.know("rep1")
            let repeater = RepeaterStatusViewModel()
            repeater.configure(appState: bench.app)
            await repeater.open(contactID: contact.id)
            for _ in 0..<7 where !repeater.isConnected { await repeater.logIn(password: "password") }
            #expect(repeater.isAdmin && repeater.login.permission == "Administrator")

            await repeater.refreshStatus()
            #expect(repeater.error == nil)
            #expect(repeater.status.contains { $0.label == "Battery" && $0.value.hasSuffix(" V") })
            #expect(repeater.status.contains { $0.label == "Packets sent" })
            #expect(repeater.session?.lastBatteryMillivolts != nil)
            await repeater.refreshTelemetry()
            #expect(!repeater.telemetry.isEmpty)
            await repeater.refreshAccessList()
            #expect(repeater.accessList.map(\.role) == [.admin])
            #expect(repeater.accessList.first?.name == bench.app.connectedDevice?.nodeName)
            await repeater.refreshNeighbours()
            #expect(repeater.error == nil)
            await repeater.sendCommand("get name")
            #expect(repeater.console.map(\.isCommand) == [true, false] && repeater.console[1].text.hasPrefix("> "))
            await repeater.setPassword("secret")
            #expect(!repeater.console.contains { $0.text.contains("secret") })

            let id = try #require(repeater.session?.id)
            await repeater.logOut()
            #expect(!repeater.isConnected && repeater.error == nil)
            repeater.close()
            bench.app.messageEventBroadcaster.broadcast(.nodeChanged(sessionID: id))
            try await bench.pass(1)
            #expect(repeater.session == nil && repeater.console.isEmpty)
        }
    }

    @Test func `a repeater's settings and rights are changed, or the node says why not`() throws {
        try withApp(.town) { bench in
            try await bench.connect()
            let contact = try await bench.know("rep1")
            let bob = try await bench.know("bob")
            let repeater = RepeaterStatusViewModel()
            repeater.configure(appState: bench.app)
            await repeater.open(contactID: contact.id)
            for _ in 0..<7 where !repeater.isConnected { await repeater.logIn(password: "password") }
            // An answer that meets another packet on the way is lost.
            for _ in 0..<7 where repeater.settings == nil { await repeater.refreshSettings() }
            var form = try #require(repeater.settings)
            #expect(!form.name.isEmpty && form.spreadingFactor > 4)

            (form.name, form.latitude, form.longitude) = ("Summit", 48.125, -11.5)
            (form.megahertz, form.spreadingFactor, form.guestPassword) = (868.125, 9, "come in")
            for _ in 0..<7 where repeater.settings != form { await repeater.save(form) }
            #expect(repeater.error == nil && repeater.settings == form)
            let node = try #require(
                await bench.mesh.world.withWorld { world in
                    world.node(labelled: "rep1").flatMap { world.repeater($0) }
                })
            #expect(node.server.preferences.name == "Summit")
            repeater.close()
            await repeater.open(contactID: contact.id)
            for _ in 0..<7 where repeater.settings == nil { await repeater.refreshSettings() }
            #expect(repeater.settings == form, "the node has it")

            var bad = form
            bad.name = "[bad]"
            for _ in 0..<7 where repeater.error?.code != "node-refused" { await repeater.save(bad) }
            #expect(repeater.error?.message.contains("Error") == true && repeater.settings == form)
            bad.name = form.name
            bad.guestPassword = String(repeating: "x", count: 16)
            await repeater.save(bad)
            #expect(repeater.error?.code == "out-of-range")

            let key = bob.publicKey.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            for _ in 0..<7 where repeater.accessList.count < 2 { await repeater.setRole(.readWrite, ofKey: key) }
            #expect(repeater.accessList.first { $0.name == "bob" }?.role == .readWrite)
            for _ in 0..<7 where repeater.accessList.count > 1 { await repeater.setRole(.guest, ofKey: key) }
            #expect(repeater.accessList.map(\.role) == [.admin])
            #expect(repeater.candidates.map(\.name) == ["bob"])
            await repeater.setRole(.admin, ofKey: "abababababab")
            #expect(repeater.error?.code == "contact-not-found")
        }
    }

    @Test func `a repeater's clock is set, and it advertises and restarts on request`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("rep1")
            let repeater = RepeaterStatusViewModel()
            repeater.configure(appState: bench.app)
            await repeater.open(contactID: contact.id)
            for _ in 0..<7 where !repeater.isConnected { await repeater.logIn(password: "password") }
            func uptime() async -> UInt32? {
                await bench.mesh.world.withWorld { world in
                    world.node(labelled: "rep1").flatMap { world.repeater($0)?.core.uptimeSeconds }
                }
            }
            for action in [RepeaterAction.syncClock, .sendAdvert, .version] {
                let answers = repeater.console.count(where: { !$0.isCommand })
                // An answer that meets another packet on the way is lost.
                for _ in 0..<7 where repeater.console.count(where: { !$0.isCommand }) == answers {
                    await repeater.perform(action)
                }
                #expect(repeater.console.last?.isCommand == false && !action.label.isEmpty)
            }
            try await bench.pass(60)
            let before = try bench.required(await uptime())
            // A request to restart is not answered: it is waited for.
            for _ in 0..<7 {
                await repeater.perform(.reboot)
                if await uptime() ?? 0 < before { break }
            }
            #expect(await bench.wait { await uptime().map { $0 < before } ?? false })
        }
    }

    @Test func `a path is found with a countdown, edited and reset`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            // A radio answers the search for a path as a request for telemetry.
            try await bob.session.setTelemetryModes(base: 2)
            _ = try await bench.know("rep1")
            let path = PathManagementViewModel()
            path.configure(appState: bench.app)
            await path.open(contactID: contact.id)
            await path.reset()
            #expect(path.isFlood && path.hops.isEmpty)

            let counted = Notes<Int>()
            let watch = Task { @MainActor in
                while !Task.isCancelled {
                    if path.isDiscovering { counted.add(path.secondsLeft) }
                    try? await bench.clock.sleep(for: .milliseconds(500))
                }
            }
            for _ in 0..<5 where path.isFlood { await path.discover() }
            watch.cancel()
            #expect(path.result == .success(outHops: 1, inHops: 1))
            #expect(path.hops.map(\.name) == ["rep1"] && !path.isFlood)
            #expect(counted.all.first == 30 && (counted.all.last ?? 30) < 30)

            await path.traceRoute()
            #expect(path.error == nil && path.trace.count == 2)

            path.beginEditing()
            path.addHop("zz")
            #expect(path.error?.code == "invalid-path" && path.editedHops?.count == 1)
            path.addHop("４Ｆ")
            #expect(path.editedHops?.count == 1, "digits of another script's width are none of a key")
            path.addHop("4F")
            path.addHop("50")
            path.removeHop(at: 2)
            path.cancelEditing()
            #expect(path.editedHops == nil && path.hops.count == 1, "nothing was written")
            path.beginEditing()
            path.addHop("4F")
            path.moveHop(from: 1, to: 0)
            #expect(path.editedHops?.map(\.name) == [nil, "rep1"])
            await path.save()
            #expect(path.hops.first?.key == "4f" && path.hops.count == 2 && path.editedHops == nil)
            let row = try await bench.app.store.fetchContact(id: contact.id)
            #expect(row?.name == contact.name && row?.typeRawValue == contact.typeRawValue)
        }
    }

    @Test func `a node that nobody reaches has no path`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("bob")
            await bench.mesh.world.withWorld { world in world.node(labelled: "rep1").map { world.powerOff($0) } }
            let path = PathManagementViewModel()
            path.configure(appState: bench.app)
            await path.open(contactID: contact.id)

            // Whoever asks does not wait for what is searched; a second wish changes nothing.
            path.beginDiscovery()
            #expect(path.isDiscovering && path.secondsLeft == 30 && path.result == nil)
            path.beginDiscovery()
            await path.discover()

            #expect(path.result == .noPathFound && !path.isDiscovering && path.secondsLeft == 0)
        }
    }

    @Test func `the channel that everybody has is joined again where it was left`() throws {
        try withApp { bench in
            try await bench.connect()
            let channels = ChannelsViewModel()
            channels.configure(appState: bench.app)
            await channels.load()
            let everybody = try #require(channels.channels.first)
            await channels.leave(everybody.id)
            #expect(channels.error == nil && channels.channels.isEmpty)
            #expect(channels.options == ChannelOption.allCases)
            #expect(Set(channels.options.map(\.label)).count == 5)

            await channels.joinPublic()
            #expect(channels.error == nil && channels.channels.map(\.isPublic) == [true])
            #expect(channels.channels.first?.index == everybody.index)
            #expect(!channels.options.contains(.joinPublic))
        }
    }

    @Test func `a channel is created, shared, joined by others, and left`() throws {
        try withApp { bench in
            try await bench.connect()
            let channels = ChannelsViewModel()
            channels.configure(appState: bench.app)
            await channels.load()
            #expect(channels.channels.map(\.isPublic) == [true])
            #expect(channels.options.count == 4 && !channels.options.contains(.joinPublic))
            let everybody = channels.channels[0].id
            await channels.setEnabled(everybody, false)
            #expect(channels.channels[0].isEnabled == false)
            await channels.setEnabled(everybody, true)
            let free = channels.freeSlots
            await channels.createPrivate(name: "Family")
            #expect(channels.error == nil && channels.createdSecret?.count == 32)
            #expect(channels.freeSlots == free - 1)
            let family = try #require(channels.channels.first { $0.name == "Family" })
            await channels.share(family.id)
            #expect(channels.exportedURI?.hasPrefix("meshcore://channel/add?") == true)
            await channels.setRegion(family.id, "#de")
            await channels.share(family.id)
            let uri = try #require(channels.exportedURI)
            #expect(channels.error == nil && uri.hasSuffix("&region_scope=de"))
            let secret = try #require(channels.createdSecret)
            channels.forgetSecrets()
            await channels.leave(family.id)
            #expect(channels.channels.count == 1)
            await channels.join(uri: uri)
            #expect(channels.channels.map(\.id).contains(family.id), "the same secret is the same channel")
            #expect(channels.channels.map(\.regionScope) == [nil, "de"])
            await channels.leave(family.id)
            await channels.joinPrivate(name: "Family", secretHex: secret)
            #expect(channels.channels.map(\.id).contains(family.id))
            await channels.joinPrivate(name: "Bad", secretHex: "1234")
            #expect(channels.error != nil && channels.channels.count == 2)
            await channels.joinHashtag("hikers")
            let hikers = try await bench.app.store.fetchChannels(
                deviceID: try bench.required(bench.app.deviceID)
            ).first { $0.name == "#hikers" }
            #expect(hikers?.secret == ChannelService.hashSecret("#hikers"))

            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.channel(try bench.required(hikers)))
            let name = bench.app.connectedDevice?.nodeName ?? ""
            #expect(chat.subtitle == "Everybody with the secret reads this. Nobody acknowledges.")
            #expect(chat.counter.limit == 160 - name.utf8.count - 2)
            chat.draft = "who is out?"
            #expect(await chat.send())
            #expect(await bench.wait { chat.messages.first?.status?.kind == .sent })
        }
    }
}
