import Testing

@testable import MeshHTTP

/// Routes of a small service, and what is found among them.
@Suite struct WebRouteTests {
    private struct Shop {}

    private let routes: [WebRoute<Shop>] = [
        WebRoute("GET", "/shelves") { _, _ in WebAnswer(json: "[]") },
        WebRoute("GET", "/shelves/{shelf}") { _, call in WebAnswer(json: call["shelf"]) },
        WebRoute("PUT", "/shelves/{shelf}") { _, call in WebAnswer(json: call["shelf"]) },
    ]

    private func call(_ method: String, _ path: [String], query: [(name: String, value: String)] = []) throws
        -> WebCall
    {
        try routes.route(of: WebRequest(method, path, query: query), list: "the list").1
    }

    @Test func `a route gives the names of its path`() throws {
        let found = try routes.route(of: WebRequest("PUT", ["shelves", "tea"]), list: "the list")

        #expect(found.0.method == "PUT" && found.1["shelf"] == "tea" && found.1["other"] == "")
        #expect(routes.operations() == ["GET /shelves", "GET /shelves/{shelf}", "PUT /shelves/{shelf}"])
    }

    @Test func `a path that is not there and a method that it lacks are refused`() {
        #expect(throws: WebRefusal(.notFound, "there is no such path; the list lists all")) {
            try call("GET", ["shelves", "tea", "cups"])
        }
        #expect(throws: WebRefusal(.notAllowed, "the path takes GET, PUT")) {
            try call("DELETE", ["shelves", "tea"])
        }
        #expect(routes.methods(at: ["shelves", "tea"]) == ["GET", "PUT"] && routes.methods(at: []).isEmpty)
    }

    @Test func `a member of the query is known, there once, and within its range`() throws {
        #expect(try call("GET", ["shelves"]).page() == (offset: 0, limit: 100))
        #expect(try call("GET", ["shelves"], query: [("limit", "7")]).page() == (offset: 0, limit: 7))
        for query in [[("limit", "0")], [("limit", "x")], [("other", "1")], [("limit", "1"), ("limit", "1")]] {
            #expect(throws: WebRefusal.self) {
                try call("GET", ["shelves"], query: query.map { (name: $0.0, value: $0.1) }).page()
            }
        }
        #expect(try call("GET", ["shelves"], query: [("deep", "true")]).flag("deep"))
        #expect(throws: WebRefusal.self) { try call("GET", ["shelves"], query: [("deep", "1")]).flag("deep") }
    }
}
