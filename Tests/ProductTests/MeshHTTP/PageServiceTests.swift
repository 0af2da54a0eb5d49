import Testing

@testable import MeshHTTP

/// Names the request, as the service sees it.
private struct EchoService: WebService {
    func answer(_ request: WebRequest) async -> WebAnswer {
        WebAnswer(json: request.method + " " + request.path.joined(separator: "|"))
    }

    func methods(at path: [String]) -> [String] { path == ["world"] ? ["GET"] : [] }
}

/// The answers to browsers, and their conditions.
@Suite struct PageServiceTests {
    private let pages = PageService(
        [PageFile("app/app.html", Array("<p>".utf8)), PageFile("shared/theme.css", [])], index: "app/app.html")

    private func fields(_ answer: WebAnswer) -> [String: String] {
        Dictionary(answer.fields) { first, _ in first }
    }

    @Test func `a page says what it is, and that only scripts of ours run in it`() async {
        let answer = await pages.answer(WebRequest("GET", ["app", "app.html"]))
        let policy = fields(answer)["content-security-policy"] ?? ""

        #expect(answer.status == 200 && answer.type == "text/html; charset=utf-8")
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"))
        #expect(policy.contains("require-trusted-types-for 'script'") && policy.contains("frame-ancestors 'self'"))
        #expect(policy.contains("worker-src 'self'") && policy.contains("trusted-types meshbed-stream"))
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        #expect(fields(answer)["referrer-policy"] == "no-referrer" && fields(answer)["cache-control"] == "no-cache")
    }

    @Test func `the place itself is its first page, with and without a slash`() async {
        for path in [[], [""]] {
            #expect(await pages.answer(WebRequest("GET", path)).type == "text/html; charset=utf-8")
        }
    }

    @Test func `who has a version already gets no bytes, and another version has another tag`() async {
        let first = await pages.answer(WebRequest("GET", []))
        var again = WebRequest("GET", [])
        again.knownTags = ["\"other\"", fields(first)["etag"] ?? ""]

        let second = await pages.answer(again)
        let changed = PageFile("app/app.html", Array("<q>".utf8)).tag

        #expect(second.status == 304)
        if case .whole(let bytes) = second.body { #expect(bytes.isEmpty) } else { Issue.record("a stream") }
        #expect(fields(first)["etag"] != changed)
    }

    @Test func `other paths and methods are refused`() async {
        #expect(await pages.answer(WebRequest("GET", ["app", "..", "app.html"])).status == 404)
        #expect(await pages.answer(WebRequest("POST", [])).status == 405)
        #expect(pages.methods(at: []) == ["GET"] && pages.methods(at: ["x"]) == [])
    }

    @Test func `a server of pictures is allowed only where the user has named one`() async {
        let mapped = PageService([PageFile("a.html", [])], index: "a.html", tiles: "https://tiles.example")

        let policy = fields(await mapped.answer(WebRequest("GET", [])))["content-security-policy"] ?? ""

        #expect(policy.contains("img-src 'self' blob: data: https://tiles.example;"))
        #expect(policy.contains("connect-src 'self';"))
    }

    @Test func `only pages that read codes may ask for a camera`() async {
        let scanning = PageService([PageFile("a.html", [])], index: "a.html", usesCamera: true)

        let usual = fields(await pages.answer(WebRequest("GET", [])))["permissions-policy"]
        let camera = fields(await scanning.answer(WebRequest("GET", [])))["permissions-policy"]

        #expect(usual == "camera=(), geolocation=(), microphone=()")
        #expect(camera == "camera=(self), geolocation=(), microphone=()")
    }

    @Test func `services behind beginnings of paths do not see them, and the longest beginning counts`() async {
        let mounted = MountedServices([
            .init("", pages), .init("apps/alice", EchoService()), .init("apps", EchoService()),
        ])

        func text(_ path: [String]) async -> String {
            guard case .whole(let bytes) = await mounted.answer(WebRequest("GET", path)).body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }

        #expect(await text(["apps", "alice", "chats"]) == "GET chats")
        #expect(await text(["apps", "bob"]) == "GET bob")
        #expect(await text([]) == "<p>")
        #expect(mounted.isOpen(["x"]) && !mounted.isOpen(["apps", "alice", "chats"]))
        #expect(mounted.methods(at: ["apps", "world"]) == ["GET"])
    }
}
