import MeshCapture
import MeshCore
import MeshTime
import MeshVirtualTime
import MeshWire
import Testing

@testable import MeshScenarios

/// The radio of a recording as a transport in this process.
@Suite struct RecordedRadioTests {
    private static let reboot = [UInt8](hex: "137265626f6f74") ?? []

    /// All frames that come until the moment, in hex.
    private func frames(_ link: RecordedRadio, for span: Duration, _ clock: any Clock<Duration>) async throws
        -> [String]
    {
        let stream = await link.receivedData
        let heard = Task(name: "a reader") {
            var frames: [String] = []
            for await frame in stream { frames.append(frame.hex) }
            return frames
        }
        try await clock.sleep(for: span, tolerance: nil)
        heard.cancel()
        return await heard.value
    }

    private func radio(_ recording: Recording, _ clock: any Clock<Duration>) -> RecordedRadio {
        RecordedRadio(RadioReplayer(recording, patience: .seconds(5)), clock: clock)
    }

    @Test func `a radio that restarts ends the link behind its answers, and what was to come later is lost`() throws {
        let recording = try RecordedDay.made(of: [
            "0 +", "1 > 05", "2 < 09d1f4f566", "9 < 83", "10 > 137265626f6f74", "11 -", "20 +", "21 > 14",
            "22 < 0c0102",
        ])

        let (rest, again) = try VirtualTime.run { clock in
            let link = radio(recording, clock)
            try await link.connect()
            try await link.send([5])
            let first = await link.receivedData
            try await link.send(Self.reboot)
            var rest: [String] = []
            for await frame in first { rest.append(frame.hex) }
            #expect(await link.connectionState == .disconnected)
            await #expect(throws: MeshTransportError.notConnected) { try await link.send([5]) }

            try await link.connect()
            try await link.send([0x14])
            return (rest, try await frames(link, for: .seconds(20), clock))
        }

        #expect(rest == ["09d1f4f566"])
        #expect(again == ["0c0102"])
    }

    @Test func `an app that leaves does not find what it missed when it comes again`() throws {
        let recording = try RecordedDay.made(of: [
            "0 +", "1 > 05", "3 < 09d1f4f566", "4 -", "5 +", "6 > 14", "7 < 0c0102",
        ])

        let heard = try VirtualTime.run { clock in
            let link = radio(recording, clock)
            try await link.connect()
            try await link.send([5])
            await link.disconnect()
            try await link.connect()
            try await link.send([0x14])
            return try await frames(link, for: .seconds(20), clock)
        }

        #expect(heard == ["0c0102"])
    }

    @Test func `a link that is open is not opened again`() throws {
        let recording = try RecordedDay.made(of: [
            "0 +", "1 > 05", "2 < 09d1f4f566", "4 -", "5 +", "6 > 05", "7 < 0900000000",
        ])

        let heard = try VirtualTime.run { clock in
            let link = radio(recording, clock)
            try await link.connect()
            try await link.connect()
            try await link.send([5])
            return try await frames(link, for: .seconds(2), clock)
        }

        #expect(heard == ["09d1f4f566"])
    }

    @Test func `an answer comes in its time although something later is waited for`() throws {
        // Nobody sends the battery's command, so its push waits for a silence of five seconds.
        let recording = try RecordedDay.made(of: ["0 +", "1 > 05", "2 < 09d1f4f566", "3 > 14", "4 < 0c0102", "5 < 83"])

        let (early, late, tooLate) = try VirtualTime.run { clock in
            let link = radio(recording, clock)
            try await link.connect()
            try await clock.sleep(for: .seconds(3), tolerance: nil)
            try await link.send([5])
            let stream = await link.receivedData
            let heard = FrameTimes()
            let elapsed = clock.stopwatch()
            let reader = Task(name: "a reader") {
                for await frame in stream { await heard.add(frame.hex, elapsed()) }
            }
            try await clock.sleep(for: .seconds(60), tolerance: nil)
            reader.cancel()
            let all = await heard.all
            return (all.first, all.dropFirst().first, all.count - 2)
        }

        #expect(early?.frame == "09d1f4f566" && early?.time == .seconds(1))
        #expect(late?.frame == "83" && late?.time == .seconds(5))
        #expect(tooLate == 0)
    }

    @Test func `it is over when all has been said and the app is silent`() throws {
        let recording = try RecordedDay.made(of: [
            "0 +", "1 > 05", "2 < 09d1f4f566", "21 < 83", "30 > 14", "31 < 0c0102",
        ])

        let over = try VirtualTime.run { clock in
            let link = radio(recording, clock)
            try await link.connect()
            let elapsed = clock.stopwatch()
            try await link.send([5])
            let app = Task(name: "an app") {
                try await clock.sleep(for: .seconds(22), tolerance: nil)
                try await link.send([0x14])
            }
            try await link.waitUntilOver(silence: .seconds(12))
            try await app.value
            return elapsed()
        }

        #expect(over == .seconds(34))
    }
}

/// Frames and when they came.
private actor FrameTimes {
    private(set) var all: [(frame: String, time: Duration)] = []

    func add(_ frame: String, _ time: Duration) { all.append((frame, time)) }
}
