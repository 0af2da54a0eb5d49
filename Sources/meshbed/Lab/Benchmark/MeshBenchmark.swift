import Glibc
import MeshCompanion
import MeshFirmware
package import MeshSimulator
package import MeshTime
import MeshWire

/// The speed and cost of whole meshes, with the topologies and the traffic that simulators of this field publish.
///
/// Not a test: CPU seconds say something only beside others of the same machine. The run itself is the same everywhere,
/// as its digest shows.
package struct MeshBenchmark: Sendable {
    /// One mesh and its traffic.
    package struct Workload: Hashable, Sendable {
        package var name: String
        package var columns: Int
        package var rows: Int
        /// Tells whether nodes also hear those at their corners.
        package var isDiagonal = false
        /// Companion radios that send channel texts, spread over the mesh; the first one stands in a corner.
        package var senders = 1
        /// Seconds between the texts of a sender.
        package var interval: Int
        package var seconds = 600
        package var preambleSymbols: UInt16 = 16
        package var checks = false

        package init(_ name: String, columns: Int, rows: Int, interval: Int) {
            self.name = name
            self.columns = columns
            self.rows = rows
            self.interval = interval
        }

        package static let s3 = Workload("S3", columns: 3, rows: 1, interval: 30)
        package static let l10 = Workload("L10", columns: 10, rows: 1, interval: 30)
        package static let g100 = Workload("G100", columns: 10, rows: 10, interval: 30)
        package static let g400 = Workload("G400", columns: 20, rows: 20, interval: 60)
        package static let g900 = Workload("G900", columns: 30, rows: 30, interval: 120)
        package static let heavy = Workload("heavy", columns: 10, rows: 10, interval: 5)
        /// Eight neighbours, and traffic that keeps the air busy everywhere.
        package static func busy(_ side: Int, senders: Int, seconds: Int) -> Workload {
            var busy = Workload("\(side)×\(side) busy", columns: side, rows: side, interval: 10)
            busy.isDiagonal = true
            busy.senders = senders
            busy.seconds = seconds
            return busy
        }

        /// All, with the preamble that the published figures were taken with and with today's.
        package static let all: [Workload] = {
            let published = [s3, l10, g100, g400, g900, heavy]
            let today = published.map { workload in
                var workload = workload
                workload.preambleSymbols = 32
                return workload
            }
            var checked = heavy
            checked.name = "heavy, checked"
            checked.checks = true
            let crowds = [busy(10, senders: 1, seconds: 3600), busy(32, senders: 4, seconds: 900)]
            return published + today + [checked] + crowds + [busy(100, senders: 16, seconds: 120)]
        }()
    }

    /// The result of a run.
    package struct Row: Hashable, Sendable, Codable {
        package let name: String
        package let nodes: Int
        package let preambleSymbols: Int
        package let simulatedSeconds: Int
        package let transmissions: Int
        package let receptions: Int
        /// Receptions and losses: all frames at all antennas.
        package let arrivals: Int
        package let events: Int
        /// Random numbers that the nodes drew after they had booted.
        package let draws: Int
        /// CPU seconds until all boards had booted, keys and all.
        package let bootSeconds: Double
        /// CPU seconds of everything, booting included.
        package let seconds: Double
        /// The most memory that the process had during the run, and the memory that it had before, in megabytes.
        package let peakMegabytes: Double
        package let memoryBefore: Double
        package let digest: String

        package var receptionsPerSecond: Double { Double(receptions) / max(seconds - bootSeconds, 1e-9) }
        package var arrivalsPerSecond: Double { Double(arrivals) / max(seconds - bootSeconds, 1e-9) }
        package var simulatedPerSecond: Double { Double(simulatedSeconds) / max(seconds, 1e-9) }

        /// Above `line`.
        package static let heading =
            "mesh            nodes  pre      sent  received   arrived   boot s    CPU s  received/s  arrived/s"
            + "  simulated/s  peak MB  before  digest"

        /// One row of a table.
        package var line: String {
            let counts = RightColumns.row(
                ("\(nodes)", 6), ("\(preambleSymbols)", 5), ("\(transmissions)", 10), ("\(receptions)", 10),
                ("\(arrivals)", 10))
            let times = RightColumns.row(
                (bootSeconds.fixed(3), 9), (seconds.fixed(3), 9), (receptionsPerSecond.fixed(0), 12),
                (arrivalsPerSecond.fixed(0), 11), (simulatedPerSecond.fixed(0), 13), (peakMegabytes.fixed(1), 9),
                (memoryBefore.fixed(1), 8))
            return name.padded(to: 15) + counts + times + "  " + digest
        }
    }

    package var seed: Seed

    package init(seed: Seed = Seed(42)) {
        self.seed = seed
    }

    /// Runs a mesh from cold boot.
    package func run(_ workload: Workload) -> Row {
        let before = ProcessUsage.resetPeak()
        let start = ProcessUsage.cpuSeconds
        var world = Self.world(workload, seed: seed)
        let booted = ProcessUsage.cpuSeconds
        let streams = Self.streams(world)
        for (index, moment) in Self.moments(workload) {
            world.run(until: moment)
            world.sendText(from: Self.senders(workload)[index % workload.senders], number: index / workload.senders)
        }
        world.run(until: .seconds(workload.seconds))
        let end = ProcessUsage.cpuSeconds
        let draws = zip(streams, Self.streams(world)).reduce(0) { $0 + Self.draws(from: $1.0, to: $1.1) }
        return Row(
            name: workload.name, nodes: world.nodes.count, preambleSymbols: Int(workload.preambleSymbols),
            simulatedSeconds: workload.seconds, transmissions: world.statistics.transmissions,
            receptions: world.statistics.receptions,
            arrivals: world.statistics.receptions + world.statistics.dropCount, events: world.statistics.events,
            draws: draws,
            bootSeconds: booted - start, seconds: end - start, peakMegabytes: ProcessUsage.peakMegabytes,
            memoryBefore: before, digest: world.digest.description)
    }

    /// The random streams of the nodes, in their present states.
    private static func streams(_ world: World) -> [RandomStream] {
        world.nodes.compactMap { world.firmware($0)?.randomStream }
    }

    /// The number of draws that lead a stream from one state to the other.
    private static func draws(from earlier: RandomStream, to later: RandomStream) -> Int {
        var (stream, count) = (earlier, 0)
        while stream != later {
            _ = stream.next()
            count += 1
        }
        return count
    }

    /// Times of texts, from 10 s on; the senders take turns within the interval.
    static func moments(_ workload: Workload) -> [(index: Int, moment: Instant)] {
        let step = TimeSpan.seconds(workload.interval).microseconds / Int64(workload.senders)
        let end = Instant.seconds(workload.seconds)
        var moments: [(Int, Instant)] = []
        var moment = Instant.seconds(10)
        while moment < end {
            moments.append((moments.count, moment))
            moment += TimeSpan(microseconds: step)
        }
        return moments
    }

    /// The nodes that send: alice in her corner, the others evenly spread.
    static func senders(_ workload: Workload) -> [NodeID] {
        let count = workload.columns * workload.rows
        return (0..<workload.senders).map { NodeID(index: $0 * count / workload.senders) }
    }

    /// The mesh, switched on and idle.
    package static func world(_ workload: Workload, seed: Seed) -> World {
        var world = World(seed: seed, checks: workload.checks)
        let count = workload.columns * workload.rows
        world.reserve(nodes: count, repeaters: count - workload.senders - 1)
        var board = BoardProfile.heltecV3
        board.preambleSymbols = workload.preambleSymbols
        var setup = ServerSetup(.repeater, board: board)
        setup.silenceAdverts()
        let senders = senders(workload).map(\.index)
        for index in 0..<count {
            let isCompanion = index == count - 1 || senders.contains(index)
            let label = index == 0 ? "alice" : index == count - 1 ? "bob" : isCompanion ? "c\(index)" : "r\(index)"
            world.add(
                NodeDescription(
                    label, isCompanion ? .companion(.serial) : .repeater, board: board, setup: setup))
        }
        world.connect(workload)
        _ = world.takeOutputs()
        for index in senders { world.command(SetAdvertName(name: "alice"), to: NodeID(index: index)) }
        return world
    }
}

extension World {
    /// Links of a grid: 8 dB, −80 dBm, both directions.
    fileprivate mutating func connect(_ workload: MeshBenchmark.Workload) {
        let link = AirLink(Signal(snrHundredths: 800, rssiHundredths: -8000))
        let (columns, rows) = (workload.columns, workload.rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let here = NodeID(index: row * columns + column)
                if column + 1 < columns { links.connect(here, NodeID(index: here.index + 1), link) }
                guard row + 1 < rows else { continue }
                let below = here.index + columns
                links.connect(here, NodeID(index: below), link)
                guard workload.isDiagonal else { continue }
                if column > 0 { links.connect(here, NodeID(index: below - 1), link) }
                if column + 1 < columns { links.connect(here, NodeID(index: below + 1), link) }
            }
        }
    }

    fileprivate mutating func command(_ frame: some CommandFrame, to node: NodeID) {
        inject(.appBytes(StreamFraming.encode(toRadio: frame.encoded())), into: node)
    }

    /// The text that all simulators send: 53 bytes on the air at first.
    fileprivate mutating func sendText(from node: NodeID, number: Int) {
        let digits = String(number)
        let text = "flood " + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + " 0123456789abcdef0123"
        let seconds = UInt32(truncatingIfNeeded: now.microseconds / 1_000_000)
        command(
            SendChannelTxtMsg(channelIndex: 0, timestamp: 1_800_000_000 + seconds, text: ByteText(text)), to: node)
        _ = takeOutputs()
    }
}

/// CPU time and memory that this process has used.
enum ProcessUsage {
    /// CPU time of all threads, in user mode and in the kernel.
    static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Begins a new peak, and says what the process holds now, in megabytes.
    static func resetPeak() -> Double {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        if file >= 0 {
            _ = write(file, "5", 1)
            close(file)
        }
        return status("VmRSS:")
    }

    /// Resident memory at its most since `resetPeak`.
    static var peakMegabytes: Double { status("VmHWM:") }

    /// A line of the kernel's account of this process, in megabytes. Read without Foundation, which would count itself.
    private static func status(_ field: String) -> Double {
        let file = open("/proc/self/status", O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = text.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        let wanted = [UInt8](field.utf8)
        for line in text.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")) where line.starts(with: wanted) {
            let kilobytes = line.reduce(0.0) { (48...57).contains($1) ? $0 * 10 + Double($1 - 48) : $0 }
            return kilobytes / 1024
        }
        return 0
    }
}
