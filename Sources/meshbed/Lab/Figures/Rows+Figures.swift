import MeshStudy
import MeshWire

// What each benchmark's row says, in the one form in which figures are saved and compared.

extension CodecBenchmark.Row {
    var figures: [BenchFigure] {
        [
            .count("\(name): length", bytes, "bytes", better: nil),
            .time("\(name): encoding", encodeNanoseconds, "ns"), .time("\(name): decoding", decodeNanoseconds, "ns"),
            .time("\(name): copying", copyNanoseconds, "ns"),
        ]
    }
}

extension MeshBenchmark.Row {
    /// Two workloads of one name differ by the preamble.
    package var label: String { "\(name), preamble \(preambleSymbols)" }

    var figures: [BenchFigure] {
        [
            .count("\(label): sent", transmissions, "frames", better: nil),
            .count("\(label): received", receptions, "frames", better: nil),
            .count("\(label): arrived", arrivals, "frames", better: nil), .count("\(label): events", events, ""),
            .count("\(label): draws", draws, "", better: nil), .time("\(label): boot", bootSeconds, "CPU s"),
            .time("\(label): run", seconds, "CPU s"),
            .rate("\(label): receptions", receptionsPerSecond, "per CPU s"),
            .memory("\(label): peak", peakMegabytes),
        ]
    }
}

extension CaptureBenchmark.Row {
    var figures: [BenchFigure] {
        let label = "up to \(stage.rawValue), \(Int(nearest: megabytes)) MB"
        return [
            .count("\(label): records", records, "", better: nil), .count("\(label): frames", frames, "", better: nil),
            .time("\(label): reading", seconds), .memory("\(label): peak", peakMegabytes),
        ]
    }
}

extension ReplayBenchmark.Row {
    var figures: [BenchFigure] {
        let label = "\(messages) messages"
        return [
            .count("\(label): entries", entries, "", better: nil),
            .count("\(label): size", bytes, "bytes", better: nil),
            .time("\(label): reading", readSeconds), .time("\(label): replayer alone", replayerSeconds),
            .time("\(label): stack", stackSeconds),
        ]
    }
}

extension SyncBenchmark.Row {
    var figures: [BenchFigure] {
        let label = "\(link), \(messages) messages"
        let other = clientRate.map { [BenchFigure.rate("\(label): other client", $0, "per s")] } ?? []
        return [
            .time("\(label): sync", seconds), .time("\(label): CPU time", cpuSeconds),
            .time("\(label): raw inserts", rawSeconds), .time("\(label): raw inserts in batches", rawBatchSeconds),
            .rate("\(label): of raw inserts", ofRaw, ""), .rate("\(label): session alone", sessionRate, "per s"),
            .memory("\(label): peak", memoryPeak),
        ] + other
    }
}

extension BluetoothSync.Row {
    var label: String { "ble-\(chip), \(intervalMilliseconds) ms, \(payload) bytes, \(messages) messages" }

    /// On virtual time, so that all but the CPU time are counts.
    var figures: [BenchFigure] {
        [
            .count("\(label): connect", Self.microseconds(connectSeconds), "µs"),
            .count("\(label): sync", Self.microseconds(seconds), "µs"),
            .count("\(label): messages alone", Self.microseconds(messageSeconds), "µs"),
            .count("\(label): limit", Self.microseconds(limitSeconds), "µs", better: nil),
            .count("\(label): events", events, ""), .count("\(label): packets", packets, ""),
            .count("\(label): size", bytes, "bytes"), .count("\(label): repeats", repeats, "packets"),
            .count("\(label): air", Self.microseconds(airSeconds), "µs"), .time("\(label): CPU time", cpuSeconds),
        ]
    }

    private static func microseconds(_ seconds: Double) -> Int { Int(nearest: seconds * 1e6) }
}
