/// A file that a long run writes piece by piece; the run goes on after a failure, and the first one is kept.
package final class PieceOutput {
    private let file: OutputFile
    /// The reason why the file is not whole, in one line; `nil` while it is.
    package private(set) var problem: String?

    /// Opens the file, over one that is there.
    ///
    /// - Parameter keepsPieces: Whether the pieces that were written before a failure are worth keeping.
    package init(_ path: String, keepsPieces: Bool = false) throws(FileSystem.Failure) {
        file = try OutputFile(path, keepsPieces: keepsPieces)
    }

    /// Adds a piece, unless there was a failure.
    package func write(_ piece: [UInt8]) {
        attempt { () throws(FileSystem.Failure) in try file.write(piece) }
    }

    /// Closes the file, unless there was a failure.
    package func end() {
        attempt { () throws(FileSystem.Failure) in try file.end() }
    }

    /// Gives the file up for a reason that is not the system's; it is removed, as half a file is.
    package func fail(_ reason: String) {
        guard problem == nil else { return }
        problem = "\(file.path): \(reason)"
        file.abandon()
    }

    private func attempt(_ work: () throws(FileSystem.Failure) -> Void) {
        guard problem == nil else { return }
        do {
            try work()
        } catch {
            problem = "\(file.path): cannot be written: \(error.reason)"
        }
    }
}
