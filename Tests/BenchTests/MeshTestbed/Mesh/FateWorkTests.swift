import Testing

@testable import MeshWorlds

/// The growth of the work for a message's fate with its trace, which may come from anywhere: counted, not timed.
@Suite struct FateWorkTests {
    /// A trace of companions in a line, of which the first writes to all.
    private func trace(_ count: Int, _ events: [String]) throws -> TraceFile {
        let nodes = (0..<count).map { #"{"name":"n\#($0)","role":"companion"}"# }.joined(separator: ",")
        let links = (1..<count).map { "[\($0 - 1),\($0),0,0,0,0]" }.joined(separator: ",")
        let head =
            #"{"format":"meshbed trace 1","world":"w","seed":"1","for":9,"nodes":[\#(nodes)],"links":[\#(links)]}"#
        let message = #"{"t":0,"n":0,"e":"message","number":1,"to":"\#("#public")","text":"x"}"#
        return try TraceFile([UInt8](([head, message] + events).joined(separator: "\n").utf8))
    }

    private func sent(_ frame: Int, by node: Int) -> String {
        #"{"t":1,"n":\#(node),"e":"txBegin","frame":\#(frame),"airtime":1,"hex":"1500000000000000"}"#
    }

    private func event(_ node: Int, _ words: String) -> String { #"{"t":1,"n":\#(node),"e":\#(words)}"# }

    /// Each node has it from the one before and sends it on: further than any packet comes.
    private func relayed(_ count: Int) throws -> MessageFate {
        let events = (0..<count - 1).flatMap { node in
            [
                sent(node, by: node),
                event(node + 1, #""rxEnd","frame":\#(node),"snr":0,"rssi":0"#),
                event(node + 1, #""delivered","type":5"#),
            ]
        }
        return try MessageFate("1", in: trace(count, events))
    }

    /// Half of the nodes lose a copy each, and the rest is behind them.
    private func lost(_ count: Int) throws -> MessageFate {
        let events = (0..<count / 2).flatMap { frame in
            [sent(frame, by: 0), event(1 + frame, #""rxDrop","frame":\#(frame),"reason":"collision""#)]
        }
        return try MessageFate("1", in: trace(count, events))
    }

    /// The number of steps that `JSON` needs.
    private func steps(_ fate: MessageFate) -> Int {
        var search = DeathSearch(fate)
        for node in fate.missing { _ = search.reason(for: node) }
        return search.steps
    }

    @Test func `twice the relays give twice the path, not four times`() throws {
        let one = try relayed(400)
        let two = try relayed(800)

        #expect(one.reached.count == 399 && two.reached.count == 799)
        let hops = [one, two].map { fate in fate.paths.reduce(0) { $0 + $1.hops.count } }
        #expect(hops[1] <= 2 * hops[0] + 64 * 64, "\(hops)")
        #expect(two.json.utf8.count <= 5 * one.json.utf8.count / 2)
        #expect(one.paths.allSatisfy { $0.hops.count <= 64 })
        #expect(one.paths.first { $0.to == 64 }?.nodes == Array(0...64))
        #expect(one.paths.first { $0.to == 65 }?.nodes == Array(1...65))
    }

    @Test func `twice the nodes without a message take twice the work for their reasons`() throws {
        let one = try lost(300)
        let two = try lost(600)

        #expect(one.missing.count == 299 && two.missing.count == 599)
        #expect(steps(two) <= 2 * steps(one) + 8, "\(steps(one)) for one, \(steps(two)) for two")
        #expect(one.json.contains(#""reason" : "it lost every copy: #0 of n0 (collision)""#))
        // Behind those that lost a copy; the nearest of these is the last one.
        #expect(
            one.json.contains(
                #""the message came as far as n0, 200 hops away; n150 lost #149 of n0: collision""#))
    }

    @Test func `a node learns of the nearest that had the message, and of the nearest that lost it`() throws {
        // 0 sends, 1 sends on, 2 gives it up; 5 sends a copy of its own, which 7 loses twice.
        let fate = try MessageFate(
            "1",
            in: trace(
                11,
                [
                    sent(0, by: 0), event(1, #""rxEnd","frame":0,"snr":0,"rssi":0"#), sent(1, by: 1),
                    event(2, #""rxEnd","frame":1,"snr":0,"rssi":0"#), event(2, #""discard","reason":"alreadySeen""#),
                    sent(9, by: 5), event(7, #""rxDrop","frame":9,"reason":"tooWeak""#),
                    sent(3, by: 5), event(7, #""rxDrop","frame":3,"reason":"collision""#),
                    event(6, #""rxDrop","frame":1,"reason":"linkLoss""#),
                ]))
        var search = DeathSearch(fate)

        #expect(search.reason(for: 2) == "it heard #1, which alreadySeen")
        #expect(search.reason(for: 3) == "it ended at n2, 1 hop away: alreadySeen")
        #expect(search.reason(for: 4) == "the message came as far as n5, 1 hop away; n6 lost #1 of n1: linkLoss")
        #expect(search.reason(for: 7) == "it lost every copy: #9 of n5 (tooWeak), #3 of n5 (collision)")
        #expect(search.reason(for: 10) == "the message came as far as n5, 5 hops away; n7 lost #3 of n5: collision")
    }
}
