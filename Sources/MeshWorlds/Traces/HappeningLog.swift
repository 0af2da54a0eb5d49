package import MeshSimulator
package import MeshTime

/// The latest events of a run: the lines of a trace file before they are text.
///
/// It is a value, and cheap to copy however much it holds: full pieces are shared and never change.
package struct HappeningLog: Sendable {
    /// One line.
    package struct Line: Sendable {
        package let time: Instant
        package let node: NodeID
        package let happening: MeshRun.Happening

        package init(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
            self.time = time
            self.node = node
            self.happening = happening
        }
    }

    private static let pieceLength = 1024
    /// Full pieces that are kept: about 250,000 lines.
    private static let mostPieces = 256

    private var pieces: [[Line]] = []
    private var latest: [Line] = []
    /// The number of lines at the beginning that were dropped.
    package private(set) var forgotten = 0

    package init() {}

    /// The number of all lines so far, kept or not.
    package var count: Int { forgotten + pieces.count * Self.pieceLength + latest.count }

    /// Appends a line, unless traces do not record such an event.
    package mutating func append(_ line: Line) {
        guard line.happening.isTraced else { return }
        latest.append(line)
        guard latest.count == Self.pieceLength else { return }
        if pieces.count == Self.mostPieces {
            pieces.removeFirst(Self.mostPieces / 2)
            forgotten += Self.mostPieces / 2 * Self.pieceLength
        }
        pieces.append(latest)
        latest = []
        latest.reserveCapacity(Self.pieceLength)
    }

    /// The lines from this number on, as far as they are kept, and no more than so many.
    package func forEach(from number: Int = 0, atMost most: Int = .max, _ body: (Line) -> Void) {
        var place = forgotten
        var left = most
        for piece in pieces + [latest] {
            defer { place += piece.count }
            guard left > 0, place + piece.count > number else { continue }
            for line in piece[max(0, number - place)...].prefix(left) {
                body(line)
                left -= 1
            }
        }
    }

    /// The lines as a trace file; a log without its beginning, or of a run that continues, has no end line.
    package func text(_ topology: Topology, seed: Seed) -> [UInt8] {
        var writer = TraceWriter()
        writer.begin(topology, seed: seed, span: .zero)
        forEach { writer.add($0.time, $0.node, $0.happening) }
        return writer.takeText()
    }
}

extension MeshRun.Happening {
    /// True when traces record such an event; they hold no bytes between apps and radios.
    package var isTraced: Bool {
        switch self {
        case .event(.appBytes), .event(.appClosed), .event(.interfaceBytes), .event(.interfaceClosed): false
        case .event, .message, .acknowledged, .ended: true
        }
    }
}
