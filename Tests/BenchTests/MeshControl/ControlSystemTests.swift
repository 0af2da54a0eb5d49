import Foundation
import MeshEmulator
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshWorlds
import Testing

@testable import MeshControl

/// The effects of requests on a world, without a server and without clients.
@Suite struct ControlSystemTests {
    // MARK: Time

    @Test func `a steered world that nobody asks for anything takes the course of one that nobody steers`() async throws
    {
        let plan = try WorldSource("village", seed: Seed(7))
        var world = World(plan.world, seed: Seed(7))
        world.run(until: .seconds(600))
        let endpoints: [NodeEndpoint] = try ["alice", "bob"].map { try NodeEndpoint("\($0)=tcp://127.0.0.1:0") }

        // Nobody is there but the clients that may come.
        try await SteeredBench.with(endpoints: endpoints) { bench async throws in
            try await bench.ask("POST", "/advance", #"{"seconds":600}"#)
            #expect(try await bench.digest() == world.digest.description)
        }
        // The apps of people are there, and nothing of it is heard.
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/advance", #"{"seconds":600}"#)
            let state = try #require(try await bench.ask("GET", "/world")["state"] as? [String: Any])
            #expect(state["transmissions"] as? Int == world.statistics.transmissions)
            #expect(state["receptions"] as? Int == world.statistics.receptions)
        }
    }

    @Test func `the same requests give the same run, and another request another one`() async throws {
        var digests: [String] = []
        for text in ["hi", "hi", "ho"] {
            try await SteeredBench.with { bench async throws in
                try await bench.ask("POST", "/nodes/bob/adverts")
                try await bench.ask("POST", "/advance", #"{"seconds":20}"#)
                try await bench.ask("POST", "/nodes/bob/sends", #"{"to":"alice","text":"\#(text)"}"#)
                try await bench.ask("POST", "/advance", #"{"seconds":20}"#)
                digests.append(try await bench.digest())
            }
        }

        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }

    @Test func `a run that goes back takes the same course again`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.introduce()
            try await bench.ask("POST", "/snapshots", #"{"name":"met"}"#)
            let before = try await bench.digest()
            var digests: [String] = []
            for _ in 0..<3 {
                try await bench.ask("POST", "/nodes/bob/sends", #"{"to":"alice","text":"hello"}"#)
                #expect(try await bench.isMet(#"{"has":{"node":"alice","text":"hello"}}"#))
                digests.append(try await bench.digest())
                let messages = try await bench.ask("GET", "/messages")
                #expect(messages["total"] as? Int == 3)
                try await bench.ask("POST", "/snapshots/met/restore")
                #expect(try await bench.digest() == before)
            }
            #expect(Set(digests).count == 1)
        }
    }

    @Test func `a condition that never holds lets all the time pass, and says so`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("DELETE", "/links/alice/rep1")
            try await bench.ask("POST", "/nodes/bob/adverts")
            #expect(try await !bench.isMet(#"{"hasMet":{"node":"alice","contact":"bob"}}"#, within: 300))
            let state = try #require(try await bench.ask("GET", "/world")["state"] as? [String: Any])
            #expect(state["now"] as? Double == 300)
        }
    }

    @Test func `a paused world stands still in lockstep, and goes on when it is resumed`() async throws {
        try await SteeredBench.with(pace: .lockstep) { bench async throws in
            try await bench.ask("POST", "/pause")
            let first = try #require(try await bench.ask("GET", "/world")["state"] as? [String: Any])
            let second = try #require(try await bench.ask("GET", "/world")["state"] as? [String: Any])
            #expect(first["now"] as? Double == second["now"] as? Double)
            #expect(second["isPaused"] as? Bool == true)
            try await bench.ask("POST", "/resume")
            // It runs by itself, as fast as it can.
            #expect(try await bench.isMet(#"{"hasTransmitted":{"node":"rep1","frames":3}}"#, within: 86_400))
        }
    }

    @Test func `what a pace does not have is refused`() async throws {
        try await SteeredBench.with { bench async throws in
            #expect(try await bench.refusal("POST", "/pause") == "conflict")
            #expect(try await bench.refusal("POST", "/speed", #"{"speed":2}"#) == "conflict")
        }
        try await SteeredBench.with(pace: .lockstep) { bench async throws in
            #expect(try await bench.refusal("POST", "/advance", #"{"seconds":1}"#) == "conflict")
        }
    }

    // MARK: People

    @Test func `a text is delivered and acknowledged, and its fate is told`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.introduce()
            let number = try #require(
                try await bench.ask("POST", "/nodes/bob/sends", #"{"to":"alice","text":"hello"}"#)["message"] as? Int)
            #expect(try await bench.isMet(#"{"acknowledged":{"message":\#(number)}}"#))

            let message = try await bench.ask("GET", "/messages/\(number)")
            let fate = try await bench.ask("GET", "/messages/\(number)/fate")
            let inbox = try await bench.ask("GET", "/nodes/alice/inbox")

            #expect(message["standing"] as? String == "acknowledged")
            #expect(message["deliveredTo"] as? [String] == ["alice"])
            #expect(fate["verdict"] as? String == "delivered")
            let texts = try #require(inbox["messages"] as? [[String: Any]])
            #expect(texts.map { $0["text"] as? String } == ["hello"])
            #expect(texts.map { $0["from"] as? String } == ["bob"])
        }
    }

    @Test func `a text to somebody who does not know its sender is given up, with the reason`() async throws {
        // Nobody has told of himself: only bob's radio gets a contact, that of alice.
        try await SteeredBench.with("line:3") { bench async throws in
            try await bench.ask("POST", "/advance", #"{"seconds":60}"#)
            try await bench.ask("POST", "/nodes/bob/sends", #"{"to":"alice","text":"hello"}"#)
            try await bench.ask(
                "POST", "/run-until", #"{"condition":{"hasTransmitted":{"node":"bob","frames":1}},"seconds":9}"#)
            let sent = try await bench.ask("GET", "/messages/1")
            #expect(sent["standing"] as? String == "sent" && sent["mayStillArrive"] as? Bool == true)

            try await bench.ask("POST", "/advance", #"{"seconds":60}"#)

            let message = try await bench.ask("GET", "/messages/1")
            #expect(message["standing"] as? String == "givenUp")
            #expect(message["end"] as? String == "notOpened")
            #expect(message["reason"] as? String == MessageEnd.notOpened.words)
            #expect(message["mayStillArrive"] as? Bool == false)
            let fate = try await bench.ask("GET", "/messages/1/fate")
            #expect(fate["standing"] as? String == "givenUp" && fate["end"] as? String == "notOpened")
            #expect(fate["isCut"] as? Bool == false && fate["mayStillArrive"] as? Bool == false)
            let missing = try #require((fate["missing"] as? [[String: Any]])?.first)
            let reason = try #require(missing["reason"] as? String)
            #expect(reason.contains("it could not open: bob is no contact of it"))
            #expect(!reason.contains("forwardingDenied"))
        }
    }

    @Test func `what is lost to a collision is listed with both frames`() async throws {
        try await SteeredBench.with { bench async throws in
            // Both have told of themselves, and neither hears the other.
            try await bench.ask("POST", "/advance", #"{"seconds":30}"#)
            let before = try #require(try await bench.ask("GET", "/drops")["total"] as? Int)
            for name in ["alice", "bob"] { try await bench.ask("POST", "/nodes/\(name)/adverts") }
            try await bench.ask("POST", "/advance", #"{"seconds":10}"#)

            let answer = try await bench.ask("GET", "/drops?offset=\(before)")
            let drops = try #require(answer["drops"] as? [[String: Any]])
            let frames = drops.compactMap { $0["frame"] as? [String: Any] }

            #expect(answer["total"] as? Int == before + drops.count)
            #expect(drops.map { $0["node"] as? String } == ["rep1", "rep1"])
            #expect(drops.map { $0["reason"] as? String } == ["collision", "collision"])
            #expect(Set(frames.compactMap { $0["sender"] as? String }) == ["alice", "bob"])
            #expect(frames.map { $0["kind"] as? String } == ["advert", "advert"])
            for (drop, other) in zip(drops, frames.reversed()) {
                let by = try #require(drop["by"] as? [String: Any])
                #expect(by["words"] as? String == other["words"] as? String)
                let words = try #require(drop["words"] as? String)
                #expect(words.hasSuffix("lost at rep1: collision with \(by["words"] as? String ?? "")"))
            }
        }
    }

    @Test func `a post reaches the others in the room, with its author`() async throws {
        try await SteeredBench.with { bench async throws in
            for name in ["alice", "bob"] {
                // Both at once would meet on the air.
                try await bench.ask("POST", "/nodes/\(name)/enters", #"{"room":"room1"}"#)
                #expect(try await bench.isMet(#"{"isIn":{"node":"\#(name)","room":"room1"}}"#))
                try await bench.ask("POST", "/advance", #"{"seconds":10}"#)
            }
            try await bench.ask("POST", "/nodes/bob/posts", #"{"room":"room1","text":"news"}"#)
            #expect(try await bench.isMet(#"{"has":{"node":"alice","text":"news"}}"#, within: 300))

            let inbox = try #require(try await bench.ask("GET", "/nodes/alice/inbox")["messages"] as? [[String: Any]])
            #expect(inbox.first?["kind"] as? String == "post")
            #expect(inbox.first?["room"] as? String == "room1")
            #expect(inbox.first?["author"] as? String == "bob")
        }
    }

    @Test func `people run from the start, and those who come later from then on`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/advance", #"{"seconds":1}"#)
            // Bob has done nothing yet: what is said on the channel is fetched by his app all the same.
            try await bench.ask("POST", "/nodes/alice/says", #"{"text":"hello"}"#)
            #expect(try await bench.isMet(#"{"has":{"node":"bob","text":"alice: hello"}}"#))
            #expect(try await bench.ask("GET", "/nodes/bob")["waiting"] as? Int == 0)
            #expect(try await bench.ask("GET", "/nodes/bob")["unixSeconds"] as? Int ?? 0 > 1_750_000_000)

            try await bench.ask("POST", "/nodes", #"{"name":"carol","role":"companion","links":[{"to":"rep1"}]}"#)
            try await bench.ask("POST", "/advance", #"{"seconds":1}"#)
            #expect(try await bench.ask("GET", "/nodes/carol")["advertName"] as? String == "carol")
            try await bench.ask("POST", "/nodes/alice/says", #"{"text":"again"}"#)
            #expect(try await bench.isMet(#"{"has":{"node":"carol","text":"alice: again"}}"#))
        }
    }

    @Test func `texts of a client have numbers, are delivered and acknowledged, and their fate is told`() async throws {
        let endpoint = try NodeEndpoint("alice=tcp://127.0.0.1:0")
        try await SteeredBench.with("desk", endpoints: [endpoint]) { bench async throws in
            let place = try #require(try await bench.ask("GET", "/nodes/alice")["endpoint"] as? String)
            let port = try #require(place.split(separator: ":").last.flatMap { Int($0) })
            let alice = try TestClient.connect(port: port)
            // SEND_SELF_ADVERT, so that bob knows whom he answers.
            alice.sendFrame([7, 1])
            try await bench.ask(
                "POST", "/run-until", #"{"condition":{"hasMet":{"node":"bob","contact":"alice"}},"seconds":60}"#)
            try await bench.ask("POST", "/nodes/bob/adverts")
            #expect(try await bench.isMet(#"{"hasMet":{"node":"alice","contact":"bob"}}"#))
            try await bench.ask("POST", "/advance", #"{"seconds":5}"#)
            let key = try #require(try await bench.ask("GET", "/nodes/bob")["publicKey"] as? String)
            let prefix = stride(from: 0, to: 12, by: 2).compactMap { UInt8(key.dropFirst($0).prefix(2), radix: 16) }
            // SEND_TXT_MSG: plain, attempt, time, key, text. Nobody is called by the second key.
            alice.sendFrame([2, 0, 0, 1, 0, 0, 0] + prefix + Array("hello".utf8))
            alice.sendFrame([2, 0, 0, 1, 0, 0, 0] + [9, 9, 9, 9, 9, 9] + Array("nobody".utf8))
            alice.sendFrame([2, 0, 1, 1, 0, 0, 0] + prefix + Array("hello".utf8))
            // SEND_CHANNEL_TXT_MSG: plain, channel, time, text.
            alice.sendFrame([3, 0, 0, 1, 0, 0, 0] + Array("hello all".utf8))

            let messages = try #require(try await bench.ask("GET", "/messages")["messages"] as? [[String: Any]])
            #expect(messages.map { $0["from"] as? String } == ["bob", "alice", "alice", "alice", "alice"])
            #expect(messages.map { $0["to"] as? String } == ["#advert", "bob", "090909090909", "bob", "#public"])
            #expect(
                messages.map { $0["text"] as? String } == ["", "hello", "nobody", "hello (attempt 2)", "hello all"])
            #expect(try await bench.isMet(#"{"acknowledged":{"message":2}}"#))
            #expect(try await bench.isMet(#"{"has":{"node":"bob","text":"alice: hello all"}}"#))
            #expect(try await bench.ask("GET", "/messages/3")["standing"] as? String == "refused")
            // The packets of each are known, also behind one that its radio did not take.
            #expect(try await bench.ask("GET", "/messages/4")["deliveredTo"] as? [String] == ["bob"])
            #expect(try await bench.ask("GET", "/messages/5")["deliveredTo"] as? [String] == ["bob"])
            let again = try await bench.ask("GET", "/messages/4/fate")
            #expect((again["message"] as? [String: Any])?["text"] as? String == "hello (attempt 2)")
            #expect(again["verdict"] as? String == "delivered")
            let fate = try await bench.ask("GET", "/messages/2/fate")
            #expect(fate["verdict"] as? String == "delivered")
            #expect((fate["message"] as? [String: Any])?["from"] as? String == "alice")
        }
    }

    @Test func `radios are called as the world calls them, also those that clients have`() async throws {
        try await SteeredBench.with("pair", endpoints: [NodeEndpoint("alice=tcp://127.0.0.1:0")]) {
            bench async throws in
            #expect(try await bench.ask("GET", "/nodes/alice")["advertName"] as? String == "alice")
            #expect(try await bench.ask("GET", "/nodes/bob")["advertName"] as? String == "bob")
            // Whoever erases the flash has a radio as from the factory.
            try await bench.ask("POST", "/nodes/alice/restarts", #"{"erasesFlash":true}"#)
            try await bench.ask("POST", "/advance", #"{"seconds":10}"#)
            let node = try await bench.ask("GET", "/nodes/alice")
            #expect(node["advertName"] as? String == (node["publicKey"] as? String)?.prefix(8).uppercased())
        }
    }

    @Test func `a refusal names what takes its place`() async throws {
        try await SteeredBench.with { bench async throws in
            #expect(await bench.raw("POST", "/nodes/rep1/adverts").text.contains("the line advert, or advert.zerohop"))
            let channel = await bench.raw("POST", "/nodes/bob/says", #"{"text":"x","channel":7}"#)
            #expect(channel.status == 409)
            #expect(channel.text.contains("no channel at place 7"))
            #expect(try await bench.ask("GET", "/messages")["total"] as? Int == 0)
            #expect(
                try await bench.ask("POST", "/nodes/rep1/console", #"{"line":"advert"}"#)["answer"] as? String != "")
        }
    }

    @Test func `what no app does is refused`() async throws {
        try await SteeredBench.with { bench async throws in
            #expect(try await bench.refusal("POST", "/nodes/bob/sends", #"{"to":"bob","text":"x"}"#) == "conflict")
            #expect(try await bench.refusal("POST", "/nodes/bob/sends", #"{"to":"rep1","text":"x"}"#) == "conflict")
            #expect(try await bench.refusal("POST", "/nodes/rep1/says", #"{"text":"x"}"#) == "conflict")
            #expect(
                try await bench.refusal("POST", "/nodes/bob/posts", #"{"room":"room1","text":"x"}"#) == "conflict")
            #expect(try await bench.refusal("POST", "/nodes/bob/enters", #"{"room":"rep1"}"#) == "conflict")
            #expect(try await bench.refusal("POST", "/nodes/nobody/says", #"{"text":"x"}"#) == "not-found")
        }
    }

    // MARK: Nodes and links

    @Test func `a new node is heard, and is silent when it is taken away`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/nodes", #"{"name":"carol","role":"companion","links":[{"to":"rep1"}]}"#)
            try await bench.ask("POST", "/nodes/carol/adverts")
            #expect(try await bench.isMet(#"{"hasMet":{"node":"bob","contact":"carol"}}"#))
            try await bench.ask("DELETE", "/nodes/carol")
            #expect(try await bench.ask("GET", "/nodes/carol")["isUp"] as? Bool == false)
            #expect(
                try await bench.refusal("POST", "/nodes", #"{"name":"carol","role":"sensor"}"#) == "bad-request")
            #expect(try await bench.ask("GET", "/nodes")["total"] as? Int == 6)
        }
    }

    @Test func `a snapshot from before a node was there has it no more`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/snapshots", #"{"name":"before"}"#)
            try await bench.ask("POST", "/nodes", #"{"name":"carol","role":"companion","links":[{"to":"rep1"}]}"#)
            try await bench.ask("POST", "/snapshots/before/restore")
            #expect(try await bench.refusal("GET", "/nodes/carol") == "not-found")
            try await bench.ask("POST", "/nodes", #"{"name":"dave","role":"companion","links":[{"to":"rep1"}]}"#)
            try await bench.ask("POST", "/nodes/dave/adverts")
            #expect(try await bench.isMet(#"{"hasMet":{"node":"bob","contact":"dave"}}"#))
        }
    }

    @Test func `links are listed, changed and cut`() async throws {
        try await SteeredBench.with { bench async throws in
            #expect(try await bench.ask("GET", "/links")["total"] as? Int == 8)
            try await bench.ask("PUT", "/links/alice/bob", #"{"snr":-3.5,"loss":0.25}"#)
            let links = try #require(try await bench.ask("GET", "/links?limit=2")["links"] as? [[String: Any]])
            #expect(links.count == 2)
            #expect(links[1]["to"] as? String == "bob")
            #expect(links[1]["snr"] as? Double == -3.5)
            #expect(links[1]["loss"] as? Double == 0.25)
            try await bench.ask("DELETE", "/links/alice/bob?oneWay=true")
            #expect(try await bench.ask("GET", "/links")["total"] as? Int == 9)
            #expect(try await bench.refusal("PUT", "/links/alice/alice") == "bad-request")
        }
    }

    @Test func `a node that walks hears its new neighbours and nobody else`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/nodes/bob/walks", #"{"links":[{"to":"alice"}]}"#)
            try await bench.ask("POST", "/nodes/bob/adverts", #"{"isFlood":false}"#)
            #expect(try await bench.isMet(#"{"hasMet":{"node":"alice","contact":"bob"}}"#))
            #expect(try await bench.ask("GET", "/links")["total"] as? Int == 8)
            #expect(try await bench.refusal("POST", "/nodes/bob/walks", #"{"links":[{"to":"bob"}]}"#) == "bad-request")
            #expect(try await bench.refusal("POST", "/nodes/bob/walks") == "bad-request")
        }
    }

    @Test func `a packet is waited for by its type`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/nodes/bob/adverts")
            #expect(try await bench.isMet(#"{"packet":{"type":"advert","from":"bob","heardBy":"rep1"}}"#))
            #expect(try await !bench.isMet(#"{"packet":{"type":"txtMsg"}}"#, within: 20))
        }
    }

    // MARK: What goes wrong

    @Test func `a fault begins, ends before its time, and does not end twice`() async throws {
        try await SteeredBench.with { bench async throws in
            let fault =
                try await bench.ask(
                    "POST", "/faults", #"{"kind":"partition","nodes":["bob"],"for":"1h"}"#)["fault"] as? Int
            #expect(fault == 0)
            try await bench.ask("POST", "/nodes/bob/adverts")
            #expect(try await !bench.isMet(#"{"hasMet":{"node":"alice","contact":"bob"}}"#))
            try await bench.ask("DELETE", "/faults/0")
            #expect(try await bench.refusal("DELETE", "/faults/0") == "conflict")
            #expect(try await bench.refusal("DELETE", "/faults/1") == "not-found")
            try await bench.ask("POST", "/nodes/bob/adverts")
            #expect(try await bench.isMet(#"{"hasMet":{"node":"alice","contact":"bob"}}"#))
        }
    }

    @Test func `faults are listed with their effects, and those that did nothing`() async throws {
        try await SteeredBench.with { bench async throws in
            try await bench.ask("POST", "/faults", #"{"kind":"loss","from":"bob"}"#)
            try await bench.ask("POST", "/faults", #"{"kind":"partition","nodes":["bob"],"at":"1h"}"#)
            try await bench.ask("POST", "/faults", #"{"kind":"loss","share":0,"may_not_fire":true}"#)
            try await bench.ask("POST", "/nodes/bob/adverts")
            _ = try await bench.isMet(#"{"hasMet":{"node":"alice","contact":"bob"}}"#)

            let answer = try await bench.ask("GET", "/faults")
            let faults = try #require(answer["faults"] as? [[String: Any]])

            #expect(faults.map { $0["words"] as? String } == ["loss from bob", "partition of bob", "loss"])
            #expect(faults.map { $0["isIdle"] as? Bool } == [false, true, false])
            #expect(faults[0]["frames"] as? Int ?? 0 > 0 && faults[0]["firstAt"] != nil)
            #expect(faults.map { $0["mayNotFire"] as? Bool } == [false, false, true])
            #expect(answer["idle"] as? Int == 1 && answer["total"] as? Int == 3)
            let page = try await bench.ask("GET", "/faults?offset=2&limit=1")
            #expect((page["faults"] as? [Any])?.count == 1)
        }
    }

    @Test func `a board without power is down until it has power again`() async throws {
        try await SteeredBench.with { bench async throws in
            #expect(try await bench.ask("POST", "/nodes/rep1/power", #"{"isOn":false}"#)["isUp"] as? Bool == false)
            #expect(try await bench.refusal("POST", "/nodes/rep1/restarts") == "conflict")
            try await bench.ask("POST", "/nodes/rep1/power", #"{"isOn":true}"#)
            #expect(try await bench.isMet(#"{"isUp":{"node":"rep1"}}"#))
        }
    }

    @Test func `a frame is received by those in range of where it begins`() async throws {
        try await SteeredBench.with { bench async throws in
            // Bytes of an application's own format, by which nobody is moved.
            let frame = #"{"hex":"3E00AABBCC"}"#
            try await bench.ask("POST", "/nodes/rep1/transmits", frame)
            #expect(try await bench.ask("POST", "/advance", #"{"seconds":5}"#)["receptions"] as? Int == 4)
            try await bench.ask("DELETE", "/links/alice/rep1")
            try await bench.ask("POST", "/nodes/rep1/transmits", frame)
            #expect(try await bench.ask("POST", "/advance", #"{"seconds":5}"#)["receptions"] as? Int == 7)
        }
    }

    @Test func `a console answers, but for that of a node that has none`() async throws {
        try await SteeredBench.with { bench async throws in
            let answer = try await bench.ask("POST", "/nodes/rep1/console", #"{"line":"get repeat"}"#)["answer"]
            #expect(answer as? String == "> on")
            #expect(try await bench.refusal("POST", "/nodes/bob/console", #"{"line":"get name"}"#) == "conflict")
            #expect(
                try await bench.refusal("POST", "/nodes/rep1/console", #"{"line":"get\u0007name"}"#) == "bad-request")
        }
    }

    @Test func `the clock of a node is set`() async throws {
        try await SteeredBench.with { bench async throws in
            let node = try await bench.ask("POST", "/nodes/rep1/clock", #"{"unixSeconds":1900000000}"#)
            #expect(node["unixSeconds"] as? Int == 1_900_000_000)
        }
    }

    // MARK: Requests

    @Test(arguments: [
        ("POST", "/advance", "", "bad-request"), ("POST", "/advance", "{", "bad-request"),
        ("POST", "/advance", "[]", "bad-request"), ("POST", "/advance", #"{"seconds":-1}"#, "bad-request"),
        ("POST", "/advance", #"{"seconds":1e300}"#, "bad-request"),
        ("POST", "/advance", #"{"seconds":"1"}"#, "bad-request"),
        ("POST", "/advance", #"{"seconds":1,"more":2}"#, "bad-request"),
        ("POST", "/advance", #"{"seconds":1,"seconds":2}"#, "bad-request"),
        ("GET", "/advance", "", "not-allowed"), ("GET", "/nowhere", "", "not-found"), ("GET", "/", "", "not-found"),
        ("POST", "/run-until", #"{"condition":{},"seconds":1}"#, "bad-request"),
        ("POST", "/run-until", #"{"condition":{"isQuiet":{},"isUp":{"node":"bob"}},"seconds":1}"#, "bad-request"),
        ("POST", "/run-until", #"{"condition":{"all":[]},"seconds":1}"#, "bad-request"),
        ("POST", "/run-until", #"{"condition":{"acknowledged":{"message":9}},"seconds":1}"#, "bad-request"),
        ("POST", "/run-until", #"{"condition":{"packet":{"type":"nothing"}},"seconds":1}"#, "bad-request"),
        ("GET", "/nodes?limit=0", "", "bad-request"), ("GET", "/nodes?size=1", "", "bad-request"),
        ("GET", "/nodes?limit=1&limit=2", "", "bad-request"), ("GET", "/messages/0", "", "bad-request"),
        ("GET", "/messages/x", "", "bad-request"), ("GET", "/messages/7", "", "not-found"),
        ("POST", "/snapshots", #"{"name":"../up"}"#, "bad-request"),
        ("POST", "/snapshots/none/restore", "", "not-found"),
        ("POST", "/faults", #"{"kind":"fire"}"#, "bad-request"), ("POST", "/faults", "", "bad-request"),
        ("POST", "/nodes/rep1/transmits", #"{"hex":"A"}"#, "bad-request"),
        ("POST", "/nodes/bob/pushes", #"{"nightmare":"empty"}"#, "conflict"),
        ("POST", "/nodes", #"{"name":"","role":"companion"}"#, "bad-request"),
    ])
    func `a request that makes no sense is refused`(method: String, path: String, body: String, code: String)
        async throws
    {
        try await SteeredBench.with { bench async throws in
            let before = try await bench.digest()
            #expect(try await bench.refusal(method, path, body) == code)
            #expect(try await bench.digest() == before)
        }
    }

    @Test func `only so many requests wait for time, and all are told when the run ends`() async throws {
        let bench = try await SteeredBench.start(pace: .lockstep)
        try await bench.ask("POST", "/pause")
        let waiting = #"{"condition":{"hasTransmitted":{"node":"bob","frames":9999}},"seconds":86400}"#
        let codes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<80 {
                group.addTask { (try? await bench.refusal("POST", "/run-until", waiting)) ?? "" }
            }
            var codes: [String] = []
            for await code in group {
                codes.append(code)
                // Those that are too many are told at once; the others are when the run ends.
                if codes.count == 16 { try? await bench.emulator.steer { $0.endSteps() } }
            }
            return codes
        }
        #expect(codes.prefix(16).allSatisfy { $0 == "busy" })
        #expect(codes.dropFirst(16).allSatisfy { $0 == "ended" })
        await bench.emulator.stop()
        #expect(try await bench.refusal("GET", "/world") == "ended")
    }

    @Test func `whoever follows is told what happens, line by line`() async throws {
        try await SteeredBench.with { bench async throws in
            let answer = await bench.api.answer(WebRequest("GET", ["events"]))
            guard case .pieces(let pieces) = answer.body else {
                Issue.record("no stream")
                return
            }
            try await bench.ask("POST", "/nodes/bob/adverts")
            try await bench.ask("POST", "/advance", #"{"seconds":20}"#)
            var lines: [String] = []
            for await piece in pieces {
                lines.append(String(decoding: piece, as: UTF8.self))
                if lines.last?.contains("txEnd") == true { break }
            }
            #expect(lines.first == ": events\n\n")
            #expect(lines.contains { $0.hasPrefix(#"data: {"t":0,"n":2,"e":"message""#) && $0.hasSuffix("\n\n") })
        }
    }
}
