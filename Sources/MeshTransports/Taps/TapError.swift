import Glibc
import NIOCore

/// Why a tap does not start, or stops.
public struct TapError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without its full stop.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    init(_ error: TerminalError) {
        switch error {
        case .occupied(let path):
            self.init("\(path) exists and is not a left-over link to a terminal; it was not touched")
        case .failed(let path, let reason): self.init("cannot make a pseudo-terminal at \(path): \(reason)")
        }
    }

    /// What went wrong with a port that was to be listened on.
    init(listeningOn host: String, _ port: Int, _ error: any Error) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self.init("port \(port) on \(host) is in use; choose another one, or port 0 for any free one")
        case let error as IOError:
            self.init("cannot listen on \(host) port \(port): \(String(cString: strerror(error.errnoCode)))")
        default: self.init("cannot listen on \(host) port \(port): \(error)")
        }
    }
}
