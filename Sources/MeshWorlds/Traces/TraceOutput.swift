package import MeshFiles
package import MeshSimulator
package import MeshTime

/// A trace file that is being written, a piece at a time; the first failure is kept.
package final class TraceOutput {
    private var writer = TraceWriter()
    private let file: PieceOutput
    /// The reason why the file is not whole, in one line; `nil` while it is.
    package var problem: String? { file.problem }

    /// Opens the file and writes the head; `span` is zero for a run of unknown length.
    ///
    /// - Parameter keepsPieces: Whether what was written stays when the disk is full: a run with clients has no other
    ///   trace.
    package init(
        _ path: String, _ topology: Topology, seed: Seed, span: TimeSpan, keepsPieces: Bool = false
    ) throws(FileSystem.Failure) {
        file = try PieceOutput(path, keepsPieces: keepsPieces)
        writer.begin(topology, seed: seed, span: span)
    }

    package func add(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
        writer.add(time, node, happening)
        flush(atLeast: 1 << 20)
    }

    /// Writes where a snapshot was taken or the run went back to one; `time` is the snapshot's in both.
    package func add(_ turn: RunTurn, at time: Instant) {
        writer.add(turn, at: time)
        flush(atLeast: 1 << 20)
    }

    /// Writes the end line, and closes the file.
    package func end(digest: String, unseed: String, at time: Instant) {
        writer.end(digest: digest, unseed: unseed, at: time)
        flush(atLeast: 1)
        file.end()
    }

    private func flush(atLeast limit: Int) {
        guard writer.pending >= limit else { return }
        file.write(writer.takeText())
    }
}
