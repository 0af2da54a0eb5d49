#if Web
    import MeshHTTP
    import Testing

    @testable import MeshWeb

    /// A server on this machine, its service and its time limits, which end when a test says so.
    struct WebBench {
        let service: PlayedService
        let timer = HandTimer()
        let server: WebServer

        init(
            _ service: PlayedService = PlayedService(), mounts: [MountedServices.Mount] = [], token: String? = nil,
            limits: (inout WebLimits) -> Void = { _ in }
        ) async throws {
            var chosen = WebLimits()
            limits(&chosen)
            self.service = service
            server = try await WebServer.start(
                host: "127.0.0.1", port: 0, service: mounts.isEmpty ? service : MountedServices(mounts), token: token,
                limits: chosen, timer: timer)
        }

        func client(receiveBuffer: Int32? = nil) throws -> WebClient {
            try WebClient(port: server.port, receiveBuffer: receiveBuffer)
        }
    }

    /// The requests that the server admits and refuses.
    @Suite struct WebServerSystemTests {
        @Test func `a request reaches the service decoded, and its answer the client`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()

            let answer = try client.ask("POST", "/nodes/a%2Fb?limit=3&offset=%20", body: #"{"text":"zü"}"#)
            let second = try client.ask("GET", "/world")

            #expect(bench.server.host == "127.0.0.1" && bench.server.port > 0)
            #expect(answer.status == 200 && answer.body == #"POST nodes|a/b ?limit=3&offset=  {"text":"zü"}"#)
            #expect(second.body == "GET world ? ")
            #expect(answer.fields["content-type"] == "text/plain" && answer.fields["cache-control"] == "no-store")
            #expect(answer.fields["x-content-type-options"] == "nosniff" && answer.fields["connection"] == nil)
            await bench.server.stop()
        }

        @Test func `what is refused is refused with a code, and the connection goes on`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()

            let host = try client.ask("GET", "/world", fields: ["Host: attacker.example"])
            let nobody = try client.ask("GET", "/world", fields: [])
            let page = try client.ask("POST", "/pause", fields: ["Host: localhost", "Origin: http://attacker.example"])
            let escape = try client.ask("GET", "/nodes/%zz")
            let two = try client.ask("GET", "/world", fields: ["Host: localhost", "Host: attacker.example"])

            #expect(host.status == 403 && host.code == "forbidden" && nobody.code == "forbidden")
            #expect(page.status == 403 && page.code == "forbidden")
            #expect(escape.status == 400 && escape.code == "bad-request" && two.code == "bad-request")
            #expect(host.fields["content-type"] == "application/json")
            #expect(try client.ask("GET", "/world").status == 200)
            #expect(bench.service.asked == ["GET world ? "])
            await bench.server.stop()
        }

        @Test func `other methods are refused with those that there are, and HEAD without a body`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()

            for method in ["OPTIONS", "PATCH", "TRACE", "PROPFIND"] {
                let answer = try client.ask(method, "/world")
                #expect(answer.status == 405 && answer.code == "not-allowed")
                #expect(answer.fields["allow"] == "GET")
            }
            let head = try client.ask("HEAD", "/world")
            #expect(head.status == 405 && head.body == "" && head.fields["content-length"] != nil)
            // What the service refuses has them, too.
            #expect(try client.ask("GET", "/refuse").fields["allow"] == "POST, PUT")
            #expect(try client.ask("OPTIONS", "*").fields["allow"] == "")
            await bench.server.stop()
        }

        @Test func `where there is a token every request has to carry it`() async throws {
            let bench = try await WebBench(token: "s3cret")
            let client = try bench.client()

            let without = try client.ask("GET", "/world", fields: ["Host: bench.example"])
            let wrong = try client.ask("GET", "/world", fields: ["Host: a", "Authorization: Bearer secret"])
            let right = try client.ask("GET", "/world", fields: ["Host: a", "Authorization: Bearer s3cret"])

            #expect(without.status == 401 && without.code == "unauthorized" && wrong.code == "unauthorized")
            #expect(without.fields["www-authenticate"] == "Bearer")
            #expect(right.status == 200)
            #expect(bench.service.asked.count == 1)
            await bench.server.stop()
        }

        @Test func `beyond this machine it listens with a token only`() async throws {
            let service = PlayedService()
            await #expect(throws: WebServer.Failure.needsToken(host: "0.0.0.0")) {
                try await WebServer.start(host: "0.0.0.0", port: 0, service: service)
            }
            await #expect(throws: WebServer.Failure.self) {
                try await WebServer.start(host: "no.such.host.invalid", port: 0, service: service)
            }
            let server = try await WebServer.start(host: "0.0.0.0", port: 0, service: service, token: "s3cret")
            await #expect(throws: WebServer.Failure.self) {
                try await WebServer.start(host: "0.0.0.0", port: server.port, service: service, token: "s3cret")
            }
            await server.stop()
        }

        @Test func `a body has 64 KiB at most, announced or in chunks`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            let most = String(repeating: "x", count: 64 * 1024)

            let longest = try client.ask("POST", "/a", body: most)
            let announced = try client.ask("POST", "/b", body: most + "x")
            client.send("POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<9 { client.send("2000\r\n" + String(repeating: "y", count: 0x2000) + "\r\n") }
            client.send("0\r\n\r\n")
            let chunked = try client.answer()
            // Nothing of it is taken for the next request.
            let next = try client.ask("GET", "/d")

            #expect(longest.body == "POST a ? " + most)
            #expect(announced.status == 413 && announced.code == "too-large")
            #expect(chunked.status == 413 && chunked.code == "too-large")
            #expect(next.body == "GET d ? ")
            #expect(bench.service.asked.count == 2)
            await bench.server.stop()
        }

        @Test func `who waits to be told that its body is wanted is told`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")

            let go = try client.answer()
            client.send("hi")
            let answer = try client.answer()

            #expect(go.status == 100 && answer.body == "POST a ? hi")
            await bench.server.stop()
        }

        @Test(arguments: [
            "nonsense\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{1}\u{2}\u{3}\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
        ])
        func `bytes that are no request are refused with a page of ours, and the connection ends`(text: String)
            async throws
        {
            let bench = try await WebBench()
            let client = try bench.client()
            client.send(text)

            let answer = try client.answer()

            #expect(answer.status == 400 && answer.code == "bad-request" && answer.fields["connection"] == "close")
            #expect(answer.fields["content-type"] == "application/json")
            client.endOutput()
            #expect(client.isClosed())
            #expect(bench.service.asked == [])
            await bench.server.stop()
        }

        @Test func `a head that is too long is refused`() async throws {
            let bench = try await WebBench()
            for text in [
                "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: a\r\n", count: 1000) + "\r\n",
            ] {
                let client = try bench.client()
                client.send(text)
                let answer = try client.answer()
                #expect(answer.status == 413 && answer.code == "too-large")
            }
            #expect(bench.service.asked == [])
            await bench.server.stop()
        }

        @Test func `what stands behind a good request is refused in turn`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            client.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n")
            await bench.service.until { $0.waiting == 1 }
            bench.service.release()

            #expect(try client.answer().body == "waited")
            #expect(try client.answer().code == "bad-request")
            await bench.server.stop()
        }

        @Test func `a long answer comes whole`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()

            #expect(try client.ask("GET", "/long").body.utf8.count == 1_000_000)
            #expect(try client.ask("GET", "/world").status == 200)
            await bench.server.stop()
        }
    }
#endif
