#if Web
    import MeshHTTP
    import Testing

    @testable import MeshWeb

    /// Clients that are many, slow, gone or two.
    @Suite struct WebHostileSystemTests {
        @Test func `of a thousand connections so many are served, and the rest are told or dropped`() async throws {
            let bench = try await WebBench()
            let clients = try (0..<1000).map { number in
                let client = try bench.client()
                // The first are known before anybody else comes.
                if number < 256 { #expect(try client.ask("GET", "/world").status == 200) }
                return client
            }

            for client in clients { client.send("GET", "/world") }
            var statuses: [Int: Int] = [:]
            for client in clients {
                let answer = try? client.answer()
                #expect(answer?.status != 503 || answer?.code == "busy")
                statuses[answer?.status ?? 0, default: 0] += 1
            }

            #expect(statuses[200] == 256)
            #expect(statuses[503, default: 0] >= 64)
            #expect(statuses.values.reduce(0, +) == 1000 && Set(statuses.keys).isSubset(of: [200, 503, 0]))
            // Who was served is served on.
            #expect(try clients[0].ask("GET", "/world").status == 200)
            #expect(bench.service.asked.count == 513)
            await bench.server.stop()
        }

        @Test(arguments: [
            "", "GET /world HTTP/1.1\r\nHost: loc", "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
        ])
        func `half requests keep nobody out, and whoever is known stays`(half: String) async throws {
            let bench = try await WebBench()
            let tester = try bench.client()
            #expect(try tester.ask("GET", "/world").status == 200)
            let strangers = try (0..<300).map { _ in
                let stranger = try bench.client()
                stranger.send(half)
                return stranger
            }

            let late = try bench.client()

            #expect(try late.ask("GET", "/world").status == 200)
            #expect(try tester.ask("GET", "/world").status == 200)
            #expect(strangers[0].isClosed())
            await bench.server.stop()
            #expect(bench.service.asked.count == 3)
        }

        @Test func `a place that is left is free again`() async throws {
            let bench = try await WebBench { $0.connections = 1 }
            do {
                let first = try bench.client()
                #expect(try first.ask("GET", "/world").status == 200)
                #expect(try bench.client().answer().code == "busy")
            }

            // The server learns of the end when it comes to it.
            while try bench.client().ask("GET", "/world").status == 503 {}
            await bench.server.stop()
        }

        @Test func `so many requests wait, and one more is told to come again`() async throws {
            let bench = try await WebBench { $0.waitingRequests = 2 }
            let clients = try (0..<3).map { _ in try bench.client() }
            for client in clients.dropLast() { client.send("GET", "/wait") }
            await bench.service.until { $0.waiting == 2 }

            #expect(try clients[2].ask("GET", "/world").code == "busy")
            bench.service.release()
            #expect(try clients[0].answer().body == "waited")
            #expect(try clients[2].ask("GET", "/world").status == 200)
            bench.service.release()
            await bench.server.stop()
        }

        @Test func `a request is carried out though its client is gone, and one that was cut is not`() async throws {
            let bench = try await WebBench()
            do {
                let client = try bench.client()
                client.send("POST", "/wait", body: "{}")
                await bench.service.until { $0.waiting == 1 }
                for text in [
                    "Content-Length: 10\r\n\r\n{\"a\"", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", "Content-L",
                ] {
                    let cut = try bench.client()
                    cut.send("POST /cut HTTP/1.1\r\nHost: localhost\r\n" + text)
                }
            }

            bench.service.release()
            await bench.service.until { $0.answered == 1 }

            #expect(try bench.client().ask("GET", "/world").status == 200)
            await bench.server.stop()
            #expect(bench.service.asked == ["POST wait ? {}", "GET world ? "])
        }

        @Test func `a client that only stops sending gets its answer`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            client.send("GET", "/wait")
            client.endOutput()
            await bench.service.until { $0.waiting == 1 }

            bench.service.release()

            #expect(try client.answer().body == "waited")
            #expect(client.isClosed())
            await bench.server.stop()
        }

        /// Requests that two clients send at once may come in either order; one sent after the other has come keeps its
        /// order.
        @Test func `two clients are carried out in the order in which they come`() async throws {
            let bench = try await WebBench()
            let clients = try (0..<2).map { _ in try bench.client() }
            var wanted: [String] = []
            for round in 1...100 {
                for number in round % 3 == 0 ? [0, 1] : [1, 0] {
                    clients[number].send("POST", "/\(round)", body: "\(number)")
                    wanted.append("POST \(round) ? \(number)")
                    await bench.service.until { [count = wanted.count] in $0.asked >= count }
                }
                for client in clients { #expect(try client.answer().status == 200) }
            }

            #expect(bench.service.asked == wanted)
            await bench.server.stop()
        }

        @Test func `of two clients that send ahead nothing is lost, and each one's order is kept`() async throws {
            let bench = try await WebBench()
            let clients = try (0..<2).map { _ in try bench.client() }
            for (number, client) in clients.enumerated() {
                client.send((0..<100).map { "GET /\(number)/\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
            }

            for client in clients {
                for _ in 0..<100 { #expect(try client.answer().status == 200) }
            }

            for number in 0..<2 {
                let own = bench.service.asked.filter { $0.hasPrefix("GET \(number)|") }
                #expect(own == (0..<100).map { "GET \(number)|\($0) ? " })
            }
            await bench.server.stop()
        }

        @Test func `one that waits keeps no other from being answered`() async throws {
            let bench = try await WebBench()
            let slow = try bench.client()
            slow.send("GET", "/wait")
            await bench.service.until { $0.waiting == 1 }

            #expect(try bench.client().ask("GET", "/world").body == "GET world ? ")
            bench.service.release()
            #expect(try slow.answer().body == "waited")
            await bench.server.stop()
        }

        @Test func `requests that are sent ahead are answered one behind the other`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            client.send((1...50).map { "GET /\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())

            for number in 1...50 { #expect(try client.answer().body == "GET \(number) ? ") }
            await bench.server.stop()
        }

        @Test func `who sends no head, or no body, is dropped when its time is over`() async throws {
            let bench = try await WebBench()
            let silent = try bench.client()
            silent.send("GET /world HT")
            await bench.timer.runs(.head)
            #expect(try await bench.timer.end(.head) == [.seconds(60)])
            #expect(silent.isClosed())

            let slow = try bench.client()
            slow.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nab")
            await bench.timer.runs(.body)
            #expect(try await bench.timer.end(.body) == [.seconds(10)])
            #expect(slow.isClosed())
            await bench.server.stop()
            #expect(bench.service.asked == [])
        }

        @Test func `while a request is carried out no time limit runs`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            client.send("GET", "/wait")
            await bench.service.until { $0.waiting == 1 }

            for wait in [HTTPConnectionState.Wait.head, .body, .reading, .goodbye] {
                #expect(try await bench.timer.end(wait) == [])
            }
            bench.service.release()
            #expect(try client.answer().body == "waited")
            await bench.server.stop()
        }

        @Test func `who goes on after its last answer is dropped when its time is over`() async throws {
            let bench = try await WebBench()
            let client = try bench.client()
            #expect(try client.ask("GET", "/world", fields: ["Host: localhost", "Connection: close"]).status == 200)
            client.send("GET", "/again")

            await bench.timer.runs(.goodbye)
            #expect(try await bench.timer.end(.goodbye) == [.seconds(2)])

            #expect(client.isClosed())
            #expect(bench.service.asked.count == 1)
            await bench.server.stop()
        }

        @Test func `a server that stops answers what was asked and takes nothing more`() async throws {
            let bench = try await WebBench()
            let (asking, idle, half) = (try bench.client(), try bench.client(), try bench.client())
            asking.send("GET", "/wait")
            await bench.service.until { $0.waiting == 1 }
            half.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nab")
            await bench.timer.runs(.body)

            async let stopped: Void = bench.server.stop()
            #expect(idle.isClosed() && half.isClosed())
            bench.service.release()
            #expect(try asking.answer().body == "waited")
            #expect(asking.isClosed())
            asking.endOutput()
            await stopped

            #expect(bench.service.asked == ["GET wait ? "])
            #expect(throws: (any Error).self) { try bench.client() }
        }

        @Test func `an answer that is being read when the server stops comes whole`() async throws {
            let bench = try await WebBench()
            let client = try bench.client(receiveBuffer: 4096)
            for _ in 0..<20 { client.send("GET", "/long") }
            // The system takes no more for now.
            var same = 0
            while same < 3 {
                let before = bench.service.asked.count
                #expect(try bench.client().ask("GET", "/world").status == 200)
                same = bench.service.asked.count == before + 1 ? same + 1 : 0
            }
            let count = bench.service.asked.filter { $0 == "GET long ? " }.count

            async let stopped: Void = bench.server.stop()
            for _ in 0..<count { #expect(try client.answer().body.utf8.count == 1_000_000) }

            client.endOutput()
            // The system may have taken more after the count; whatever was asked for comes whole.
            while let answer = try? client.answer() { #expect(answer.body.utf8.count == 1_000_000) }
            await stopped
        }
    }
#endif
