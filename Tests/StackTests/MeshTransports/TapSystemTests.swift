import Foundation
import MeshCapture
import MeshCompanion
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

/// The recorder that stands between an app and a radio, with nothing but sockets and terminals at its ends.
@Suite struct TapSystemTests {
    /// A radio that is a bare socket, a tap to it, and what the tap recorded.
    static func withTap(
        record: (@Sendable (RecordingEntry) throws -> Void)? = nil,
        _ body: (TestServer, Int, Notes<RecordingEntry>, Tap) async throws -> Void
    ) async throws {
        let radio = try TestServer()
        let notes = Notes<RecordingEntry>()
        let tap = try await Tap.open(
            at: .freePort, to: .tcp(host: "127.0.0.1", port: UInt16(radio.port)),
            record: record ?? notes.add)
        guard case .tcp(_, let port) = tap.door else { return }
        do {
            try await body(radio, Int(port), notes, tap)
        } catch {
            await tap.stop()
            throw error
        }
        await tap.stop()
    }

    @Test func `frames pass in both directions and are recorded in their order`() async throws {
        try await Self.withTap { radio, port, notes, tap in
            let app = try TestClient.connect(port: port)
            let link = try radio.accept()

            app.send([0x3C, 1, 0, 5])
            let asked = link.receive(4)
            link.send([0x3E, 5, 0, 9, 1, 2, 3, 4])
            let answer = app.receiveFrame()
            await tap.stop()

            #expect(asked == [0x3C, 1, 0, 5])
            #expect(answer == [9, 1, 2, 3, 4])
            #expect(
                notes.all.map(\.event) == [
                    .connected, .frame(.toRadio, [5]), .frame(.toApp, [9, 1, 2, 3, 4]),
                    .disconnected(reason: "the recorder ended"),
                ])
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `every byte passes as it is, however it comes`(seed: UInt64) async throws {
        var draws = Seed(seed).stream("bytes")
        try await Self.withTap { radio, port, _, _ in
            let app = try TestClient.connect(port: port)
            let link = try radio.accept()
            for step in 0..<300 {
                let count = Int(draws.draw(1, draws.draw(0, 10) == 0 ? 20_000 : 40))
                let marker: UInt8 = draws.draw(0, 2) == 0 ? 0x3C : 0x3E
                let piece = [marker] + (0..<count).map { _ in UInt8(truncatingIfNeeded: draws.draw(0, 256)) }
                let isToRadio = draws.draw(0, 2) == 0
                let (from, to) = isToRadio ? (app, link) : (link, app)

                from.send(piece)

                try #require(to.receive(piece.count) == piece, "step \(step), to the radio: \(isToRadio)")
            }
        }
    }

    @Test func `what the radio does not take stays with the app, and nothing of it is lost`() async throws {
        try await Self.withTap { radio, port, _, _ in
            let app = try TestClient.connect(port: port)
            let link = try radio.accept()
            let flood = (0..<12 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 11) }

            let sent = app.send(flood, within: 500)
            let held = link.receive(sent)

            #expect(sent < flood.count, "the tap swallows what the radio does not take")
            #expect(held.count == sent)
            #expect(held.elementsEqual(flood[..<sent]))
        }
    }

    @Test func `what an app says before it goes still reaches the radio`() async throws {
        try await Self.withTap { radio, port, notes, tap in
            var app: TestClient? = try TestClient.connect(port: port)
            app?.send([UInt8](repeating: 0x41, count: 3000) + [0x3C, 1, 0, 5])
            app = nil
            let link = try radio.accept()

            let heard = link.receive(3004)
            #expect(link.isClosed())
            await tap.stop()

            #expect(heard.count == 3004)
            #expect(heard.suffix(4) == [0x3C, 1, 0, 5])
            #expect(notes.all.last?.event == .disconnected(reason: "closed by the app"))
        }
    }

    @Test func `an app that ends its own side is still answered`() async throws {
        try await Self.withTap { radio, port, _, _ in
            let app = try TestClient.connect(port: port)
            let link = try radio.accept()
            app.send([0x3C, 1, 0, 5])
            app.endOutput()

            _ = link.receive(4)
            link.send([0x3E, 1, 0, 0])

            #expect(app.receiveFrame() == [0])
        }
    }

    /// CMP-014 holds through the tap.
    @Test func `the newest app takes the place of the one before it`() async throws {
        try await Self.withTap { radio, port, notes, tap in
            let first = try TestClient.connect(port: port)
            let firstLink = try radio.accept()
            // A radio accepts before the tap knows of it; a byte that came through shows that it does.
            first.send([0x3C, 1, 0, 5])
            try #require(firstLink.receive(4) == [0x3C, 1, 0, 5])
            let second = try TestClient.connect(port: port)
            let secondLink = try radio.accept()

            #expect(first.isClosed())
            #expect(firstLink.isClosed())
            second.send([0x3C, 1, 0, 5])
            #expect(secondLink.receive(4) == [0x3C, 1, 0, 5])
            await tap.stop()
            #expect(
                notes.all.map(\.event).prefix(4) == [
                    .connected, .frame(.toRadio, [5]), .disconnected(reason: "another app took its place"), .connected,
                ])
        }
    }

    @Test func `a radio that goes away takes its app along, and the next app finds it again`() async throws {
        try await Self.withTap { radio, port, notes, tap in
            let first = try TestClient.connect(port: port)
            var link: TestClient? = try radio.accept()
            link?.send([0x3E, 1, 0, 0])
            link = nil

            #expect(first.receiveFrame() == [0])
            #expect(first.isClosed())
            let second = try TestClient.connect(port: port)
            let again = try radio.accept()
            second.send([1, 2, 3])
            #expect(again.receive(3) == [1, 2, 3])
            await tap.stop()
            #expect(notes.all.map(\.event).contains(.disconnected(reason: "closed by the radio")))
        }
    }

    @Test func `an app is disconnected when there is no radio, and the recording says so`() async throws {
        let notes = Notes<RecordingEntry>()
        let radio = try TestServer(isListening: false)
        defer { withExtendedLifetime(radio) {} }
        let tap = try await Tap.open(
            at: .freePort, to: .tcp(host: "127.0.0.1", port: UInt16(radio.port)), record: notes.add)
        guard case .tcp(_, let port) = tap.door else { return }

        let app = try TestClient.connect(port: Int(port))
        #expect(app.isClosed())
        await tap.stop()

        guard case .problem(let what) = notes.all.first?.event else {
            Issue.record("no problem: \(notes.all)")
            return
        }
        #expect(what.contains("the radio could not be reached"))
    }

    @Test func `a recorder that cannot write ends the tap, with everybody disconnected`() async throws {
        struct Full: Error, CustomStringConvertible { let description = "no space left" }
        try await Self.withTap(record: { if case .frame = $0.event { throw Full() } }) { radio, port, _, tap in
            let app = try TestClient.connect(port: port)
            let link = try radio.accept()

            app.send([0x3C, 1, 0, 5])

            #expect(app.isClosed())
            #expect(link.isClosed())
            await #expect(throws: TapError("the recording could not go on: no space left")) {
                try await tap.waitUntilEnded()
            }
        }
    }

    @Test func `a port that is taken is named`() async throws {
        let taken = try TestServer()

        await #expect(throws: TapError.self) {
            try await Tap.open(
                at: .tcp(host: "127.0.0.1", port: UInt16(taken.port)), to: .tcp(host: "127.0.0.1", port: 1),
                record: { _ in })
        }
    }

    // MARK: Terminals

    static func withTerminals(
        _ body: (_ path: String, _ radio: TestTerminal, _ notes: Notes<RecordingEntry>, Tap) async throws -> Void
    ) async throws {
        let radio = try TestTerminal()
        let notes = Notes<RecordingEntry>()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tap-\(UUID().uuidString)").path
        let tap = try await Tap.open(
            at: .pty(path: path), to: .serial(path: radio.path, baud: 115_200), record: notes.add)
        do {
            try await body(path, radio, notes, tap)
        } catch {
            await tap.stop()
            throw error
        }
        await tap.stop()
        #expect(!FileManager.default.fileExists(atPath: path), "the link is left behind")
    }

    @Test func `a terminal stands for a radio on a serial line`() async throws {
        try await Self.withTerminals { path, radio, notes, tap in
            var app: TestClient? = try TestClient.open(terminal: path)
            app?.send([0x0D, 0x3C, 1, 0, 5, 0x0A, 0x03, 0x11])
            #expect(radio.side.receive(8) == [0x0D, 0x3C, 1, 0, 5, 0x0A, 0x03, 0x11])
            radio.side.send([0x3E, 3, 0, 0x0A, 0x0D, 0x04])
            #expect(app?.receiveFrame() == [0x0A, 0x0D, 0x04])

            app = nil
            let second = try TestClient.open(terminal: path)
            second.send([0x3C, 1, 0, 6])
            #expect(radio.side.receive(4) == [0x3C, 1, 0, 6])
            await tap.stop()

            #expect(notes.all.map(\.link).allSatisfy { $0 == .serial })
            #expect(
                notes.all.map(\.event).filter { if case .frame = $0 { true } else { false } } == [
                    .frame(.toRadio, [5]), .frame(.toApp, [0x0A, 0x0D, 0x04]), .frame(.toRadio, [6]),
                ])
        }
    }

    @Test func `what an app wrote before it closed the terminal still reaches the radio`() async throws {
        try await Self.withTerminals { path, radio, _, _ in
            for round in 0..<20 {
                let words = [UInt8](repeating: UInt8(round), count: 1500)
                var app: TestClient? = try TestClient.open(terminal: path)
                app?.send(words)
                app = nil

                #expect(radio.side.receive(1500) == words, "round \(round)")
            }
        }
    }

    @Test func `a line that is pulled hangs the terminal up, and another takes its place`() async throws {
        try await Self.withTerminals { path, radio, notes, tap in
            let app = try TestClient.open(terminal: path)
            app.send([1])
            #expect(radio.side.receive(1) == [1])

            radio.hangUp()
            #expect(app.isClosed())

            await tap.stop()
            #expect(notes.all.last?.event == .disconnected(reason: "closed by the radio"))
        }
    }
}
