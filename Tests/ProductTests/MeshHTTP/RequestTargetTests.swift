import MeshHTTP
import Testing

/// Paths and queries, decoded.
@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/", []), ("/world", ["world"]), ("/nodes/alice/sends", ["nodes", "alice", "sends"]),
        ("/nodes/a%2Fb", ["nodes", "a/b"]), ("/nodes/%41%6c", ["nodes", "Al"]), ("/nodes/z%C3%BC", ["nodes", "zü"]),
        ("/nodes/zü", ["nodes", "zü"]), ("/a+b", ["a+b"]), ("/nodes/", ["nodes", ""]), ("//", ["", ""]),
        ("/../etc/passwd", ["..", "etc", "passwd"]), ("/a%00b", ["a\u{0}b"]), ("/a%3Fb?c", ["a?b"]), ("/?a=1", []),
    ])
    func `a path is cut at its slashes and then decoded`(text: String, path: [String]) throws {
        #expect(try RequestTarget(text).path == path)
    }

    @Test(arguments: [
        ("/a", []), ("/a?", []), ("/a?b=1", ["b=1"]), ("/a?b=1&c=2&b=3", ["b=1", "c=2", "b=3"]), ("/a?b", ["b="]),
        ("/a?b=", ["b="]), ("/a?=c", ["=c"]), ("/a?b=c=d", ["b=c=d"]), ("/a?b=%26%3D+%2B", ["b=&= +"]),
        ("/a?&&b=1&", ["b=1"]),
        ("/a?b=/c?d", ["b=/c?d"]),
    ])
    func `a query is cut at its ampersands and then decoded`(text: String, query: [String]) throws {
        #expect(try RequestTarget(text).query.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test(arguments: [
        "", "world", "*", "http://127.0.0.1/world", "127.0.0.1:80", "/%", "/%4", "/%4g", "/%%41", "/% 1", "/%+1",
        "/%FF",
        "/%C3", "/%C3%28", "/a?%", "/a?b=%F", "/a?b=%80", "?a=1",
    ])
    func `what cannot be decoded is refused`(text: String) {
        #expect(throws: WebRefusal.self) { try RequestTarget(text) }
    }
}
