#if Web
    import MeshHTTP
    import Testing

    @testable import MeshWeb

    /// Pages and what they ask for, at a real server.
    @Suite struct PageServerSystemTests {
        @Test func `pages are open, what they ask for takes the token, and neither is for other origins`() async throws
        {
            let pages = PageService([PageFile("app.html", Array("<p>".utf8))], index: "app.html")
            let bench = try await WebBench(
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
