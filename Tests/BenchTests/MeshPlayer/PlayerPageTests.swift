import Foundation
import MeshReports
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshControl

/// The player in one file: nothing from outside becomes a part of the page.
@Suite struct PlayerPageTests {
    static let hostile = [
        "</script><script>alert(1)</script>", "<!--<script>", "\"><img src=x onerror=alert(1)>", "]]>", "\u{202E}evil",
        "a\u{0}b\u{1B}[31m", "\u{2028}", "🏔🏔🏔🏔🏔🏔🏔", "${alert(1)}", "&lt;b&gt;",
    ]

    private func document() -> PlayerDocument {
        var topology = Topology(name: "</title><script>alert(2)</script>")
        topology.nodes = Self.hostile.map { Topology.Node($0, .companion) }
        var document = PlayerDocument(.trace, title: topology.name, world: PlayerWorld(topology))
        for text in Self.hostile {
            document.events.add(.start, 0, .message(number: 1, to: text, text: text))
            document.events.add(.start, 0, .discard(reason: text))
        }
        return document
    }

    @Test func `names cannot leave the data of the page`() throws {
        let html = PlayerPage(document()).html

        // Its own two scripts and one style, and nothing else that a browser would run.
        #expect(html.components(separatedBy: "<script").count == 3)
        #expect(html.components(separatedBy: "</script").count == 3)
        #expect(html.components(separatedBy: "<style").count == 2)
        #expect(!html.contains("alert(1)"))
        #expect(html.contains("<title>&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt; – Meshbed</title>"))
    }

    @Test func `the names are in the data as they were`() throws {
        let packed = try PackedReader(document().packed)

        #expect(packed.names == Self.hostile)
        #expect(packed.head["messages"] as? [[String]] == Self.hostile.map { [$0, $0] })
    }

    @Test func `the page forbids itself the network, and has no address in it`() throws {
        let html = PlayerPage(document()).html

        let policy = try #require(html.firstMatch(of: /Content-Security-Policy" content="([^"]+)"/)).1
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("connect-src"))
        #expect(html.firstMatch(of: /(src|href)=["']?(https?:)?\/\//) == nil)
        #expect(!html.contains("@import"))
    }

    @Test func `modules are joined in the order in which they import each other, and share no name`() throws {
        var names: [String: String] = [:]
        var before: [String] = []
        for module in PlayerPage.modules {
            let text = String(decoding: try #require(PlayerPage.file(module)), as: UTF8.self)
            for match in text.matches(of: /(?m)^import .* from "\.\/([\w.]+)";$/) {
                #expect(before.contains(String(match.1)), "\(module) imports \(match.1), which follows")
            }
            #expect(
                !text.contains("innerHTML") && !text.contains("insertAdjacentHTML") && !text.contains("document.write"))
            for match in text.matches(of: /(?m)^(?:export )?(?:async )?(?:const|let|function|class) (\w+)/) {
                let name = String(match.1)
                #expect(names[name] == nil, "\(name) is in \(names[name] ?? "") and in \(module)")
                names[name] = module
            }
            before.append(module)
        }
        #expect(!PlayerPage.bundle.contains("\nexport "))
        #expect(!PlayerPage.bundle.contains("\nimport "))
    }

    @Test func `the timeline of a failure becomes lanes with its words and arrows`() throws {
        var timeline = Timeline(lanes: [.app("app"), .radio("radio"), .air("air")])
        timeline.add(.init(.frame, in: 0, at: .start, "SEND_TXT_MSG", detail: "02 00"), to: 1)
        timeline.add(.init(.packet, in: 1, at: .start + .milliseconds(40), for: .milliseconds(380), "TXT_MSG"), to: 2)

        let packed = try PackedReader(PlayerDocument(timeline, title: "CMP-001").packed)

        #expect(packed.names == ["app", "radio", "air"])
        #expect(try packed.column("time") == [0, 40_000])
        #expect(
            packed.head["notes"] as? [[String]] == [["frame", "SEND_TXT_MSG", "02 00"], ["packet", "TXT_MSG", ""]])
        #expect(packed.head["noteNumbers"] as? [[Int]] == [[0, 1], [380_000, 2]])
    }
}
