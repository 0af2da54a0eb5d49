import Foundation
import MeshControl
import Testing

@testable import MeshWeb

/// What browsers get, and under which conditions.
@Suite struct PageServiceTests {
    private let pages = PageService(
        [PageFile("app/app.html", Array("<p>".utf8)), PageFile("shared/theme.css", [])], index: "app/app.html")

    private func fields(_ answer: ControlAnswer) -> [String: String] {
        Dictionary(answer.fields) { first, _ in first }
    }

    @Test func `a page says what it is, and that only scripts of ours run in it`() async {
        let answer = await pages.answer(ControlRequest("GET", ["app", "app.html"]))
        let policy = fields(answer)["content-security-policy"] ?? ""

        #expect(answer.status == 200 && answer.type == "text/html; charset=utf-8")
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"))
        #expect(policy.contains("require-trusted-types-for 'script'") && policy.contains("frame-ancestors 'self'"))
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        #expect(fields(answer)["referrer-policy"] == "no-referrer" && fields(answer)["cache-control"] == "no-cache")
    }

    @Test func `the place itself is its first page, with and without a slash`() async {
        for path in [[], [""]] {
            #expect(await pages.answer(ControlRequest("GET", path)).type == "text/html; charset=utf-8")
        }
    }

    @Test func `who has a version already gets no bytes, and another version has another tag`() async {
        let first = await pages.answer(ControlRequest("GET", []))
        var again = ControlRequest("GET", [])
        again.knownTags = ["\"other\"", fields(first)["etag"] ?? ""]

        let second = await pages.answer(again)
        let changed = PageFile("app/app.html", Array("<q>".utf8)).tag

        #expect(second.status == 304)
        if case .whole(let bytes) = second.body { #expect(bytes.isEmpty) } else { Issue.record("a stream") }
        #expect(fields(first)["etag"] != changed)
    }

    @Test func `other paths and methods are refused`() async {
        #expect(await pages.answer(ControlRequest("GET", ["app", "..", "app.html"])).status == 404)
        #expect(await pages.answer(ControlRequest("POST", [])).status == 405)
        #expect(pages.methods(at: []) == ["GET"] && pages.methods(at: ["x"]) == [])
    }

    @Test func `a server of pictures is allowed only where the user has named one`() async {
        let mapped = PageService([PageFile("a.html", [])], index: "a.html", tiles: "https://tiles.example")

        let policy = fields(await mapped.answer(ControlRequest("GET", [])))["content-security-policy"] ?? ""

        #expect(policy.contains("img-src 'self' blob: data: https://tiles.example;"))
        #expect(policy.contains("connect-src 'self';"))
    }

    @Test func `every file of the folder Pages is served, and its pages name no other`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.deletingLastPathComponent().appending(path: "Sources/MeshWeb/Pages")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.contains(".") }.sorted()

        #expect(Set(PageFile.all.map(\.path)) == Set(names))
        for file in PageFile.all {
            #expect(try Data(contentsOf: folder.appending(path: file.path)) == Data(file.bytes))
        }
    }

    @Test func `services behind beginnings of paths do not see them, and the longest beginning counts`() async {
        let mounted = MountedServices([
            .init("", pages), .init("apps/alice", PlayedService()), .init("apps", PlayedService()),
        ])

        func text(_ path: [String]) async -> String {
            guard case .whole(let bytes) = await mounted.answer(ControlRequest("GET", path)).body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }

        #expect(await text(["apps", "alice", "chats"]) == "GET chats ? ")
        #expect(await text(["apps", "bob"]) == "GET bob ? ")
        #expect(await text([]) == "<p>")
        #expect(mounted.isOpen(["x"]) && !mounted.isOpen(["apps", "alice", "chats"]))
        #expect(mounted.methods(at: ["apps", "world"]) == ["GET"])
    }
}

#if Web
    /// Pages and what they ask for, at a real server.
    @Suite struct PageServerSystemTests {
        @Test func `pages are open, what they ask for takes the token, and neither is for other origins`() async throws
        {
            let pages = PageService([PageFile("app.html", Array("<p>".utf8))], index: "app.html")
            let bench = try await ControlBench(
                mounts: [.init("", pages), .init("api", PlayedService())], token: "s3cret")
            let client = try bench.client()
            let own = "Host: 127.0.0.1:\(bench.server.port)"
            let token = "Authorization: Bearer s3cret"
            let foreign = "Origin: https://attacker.example"

            let page = try client.ask("GET", "/", fields: [own])
            let change = try client.ask("POST", "/", fields: [own])
            let read = try client.ask("GET", "/api/world", fields: [own])
            let known = try client.ask("GET", "/api/world", fields: [own, token, "Origin: http://\(own.dropFirst(6))"])
            let guessed = try client.ask("GET", "/api/world", fields: [own, "Authorization: Bearer s3creT"])
            let stolen = try client.ask("POST", "/api/world", fields: [own, token, foreign])
            let framed = try client.ask("GET", "/", fields: [own, "Sec-Fetch-Site: cross-site"])
            let preflight = try client.ask(
                "OPTIONS", "/api/world", fields: [own, foreign, "Access-Control-Request-Method: POST"])
            let tag = page.fields["etag"] ?? ""
            let again = try client.ask("GET", "/", fields: [own, "If-None-Match: \(tag)"])

            #expect(page.status == 200 && page.body == "<p>" && page.fields["x-content-type-options"] == "nosniff")
            #expect(change.code == "unauthorized" && read.code == "unauthorized" && guessed.code == "unauthorized")
            #expect(known.status == 200)
            #expect(stolen.code == "forbidden" && framed.code == "forbidden" && preflight.code == "forbidden")
            // Nothing lets a browser show an answer to another origin.
            #expect([page, known, stolen, preflight].allSatisfy { $0.fields["access-control-allow-origin"] == nil })
            #expect(again.status == 304 && tag.count > 2)
            await bench.server.stop()
        }
    }
#endif
