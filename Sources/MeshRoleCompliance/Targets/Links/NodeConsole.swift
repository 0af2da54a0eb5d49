import MeshBoards
import MeshTime

/// The console of a node over a link: a line in, all that is printed upon it out.
///
/// Every node echoes what it is sent. One that prints nothing at all upon a line is restarting, or gone; the line is
/// then tried again for a while. Lines of packet logging may come at any time.
final class NodeConsole {
    /// The time in which a node begins to echo a line, and in which it is back after a restart.
    static let echoLimit = TimeSpan.seconds(2)
    static let absenceLimit = TimeSpan.seconds(30)
    /// The time after which a console that prints without an end is not waited for.
    private static let floodLimit = TimeSpan.seconds(15)

    let link: any ConsoleLink
    /// Work that is done while bytes are awaited.
    var meanwhile: (() throws(TargetError) -> Void)?

    init(_ link: any ConsoleLink) {
        self.link = link
    }

    /// Opens the link, and ends a line that somebody has begun. An answer to that is nobody's.
    func open() throws(TargetError) {
        try link.open()
        try link.write([Self.lineEnd])
        let end = link.now + Self.floodLimit
        var last = link.now
        while link.now < min(end, last + link.quiet) {
            if try awaited(within: link.quiet) != nil { last = link.now }
        }
    }

    private static let lineEnd = UInt8(ascii: "\r")

    /// Types a line; everything that is printed upon it, from its echo on.
    ///
    /// What comes before the echo belongs to an earlier line. Logging may split an echo, and then an answer will do.
    func type(_ line: String) throws(TargetError) -> [UInt8] {
        let end = link.now + Self.absenceLimit
        var lost: TargetError?
        repeat {
            do throws(TargetError) {
                if lost != nil { try open() }
                lost = nil
                try discard()
                try link.write([UInt8](line.utf8) + [Self.lineEnd])
                if let printed = try printed(upon: [UInt8](line.utf8) + [Self.lineEnd]) { return printed }
            } catch {
                // A board on USB is no device while it starts.
                guard error.isAbsence else { throw error }
                lost = error
                try meanwhile?()
                link.pause()
            }
        } while link.now < end
        throw lost ?? .linkLost("the console does not echo what is typed any more")
    }

    /// Reads until the answer is whole, or nothing has come for a while; `nil` where the node has not heard the line.
    private func printed(upon line: [UInt8]) throws(TargetError) -> [UInt8]? {
        var printed: [UInt8] = []
        var echo: Int?
        let start = link.now
        var last = start
        while echo.map({ !ConsoleText.isWhole([UInt8](printed[$0...])) }) ?? true, link.now - start < Self.floodLimit {
            let patience = printed.isEmpty ? Self.echoLimit : link.quiet
            let left = last + patience - link.now
            guard left > .zero else { break }
            do throws(TargetError) {
                guard let bytes = try awaited(within: left) else { continue }
                printed += bytes
                last = link.now
                if echo == nil { echo = printed.firstRange(of: line)?.lowerBound }
            } catch {
                // A restart closes the connection behind the echo.
                guard error.isAbsence, !printed.isEmpty else { throw error }
                break
            }
        }
        if let echo { return [UInt8](printed[echo...]) }
        return ConsoleText.isWhole(printed) ? printed : nil
    }

    private func awaited(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        let bytes = try link.read(within: min(span, link.slice))
        try meanwhile?()
        return bytes
    }

    /// Forgets what has come so far.
    private func discard() throws(TargetError) {
        let end = link.now + Self.floodLimit
        while link.now < end, try link.read(within: .zero) != nil {}
    }

    /// Lets time pass, and forgets what is printed meanwhile; `isDone` is asked between.
    func rest(_ span: TimeSpan, until isDone: () -> Bool = { false }) throws(TargetError) {
        let end = link.now + span
        try meanwhile?()
        while !isDone() {
            let left = end - link.now
            guard left > .zero else { return }
            do throws(TargetError) { _ = try awaited(within: left) } catch { try reopen(error, before: end) }
        }
    }

    /// Opens a link that was lost while nobody asked for anything; a node that restarts closes it.
    private func reopen(_ error: TargetError, before end: Instant) throws(TargetError) {
        guard error.isAbsence else { throw error }
        let limit = max(end, link.now + Self.absenceLimit)
        var problem = error
        while link.now < limit {
            do throws(TargetError) { return try link.open() } catch { problem = error }
            try meanwhile?()
            link.pause()
        }
        throw problem
    }
}

extension TargetError {
    /// Tells whether a node that restarts shows itself so.
    fileprivate var isAbsence: Bool {
        switch self {
        case .linkLost, .unreachable: true
        case .rigLost, .peerLost, .otherBoard, .unsupported: false
        }
    }
}
