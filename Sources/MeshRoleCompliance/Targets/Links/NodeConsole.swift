import MeshCompliance
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

    /// Opens the link, and ends a line that somebody has begun.
    func open() throws(TargetError) {
        try link.open()
        try link.write([Self.lineEnd])
        try discard()
    }

    private static let lineEnd = UInt8(ascii: "\r")

    /// Types a line; everything that is printed upon it, echo included.
    func type(_ line: String) throws(TargetError) -> [UInt8] {
        let end = link.now + Self.absenceLimit
        var lost: TargetError?
        repeat {
            do throws(TargetError) {
                if lost != nil { try open() }
                lost = nil
                try discard()
                try link.write([UInt8](line.utf8) + [Self.lineEnd])
                let printed = try printed()
                if !printed.isEmpty { return printed }
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

    /// Reads until the answer is whole, or nothing has come for a while.
    private func printed() throws(TargetError) -> [UInt8] {
        var printed: [UInt8] = []
        let start = link.now
        var last = start
        while !ConsoleText.isWhole(printed), link.now - start < Self.floodLimit {
            let patience = printed.isEmpty ? Self.echoLimit : link.quiet
            let left = last + patience - link.now
            guard left > .zero else { break }
            do throws(TargetError) {
                guard let bytes = try awaited(within: left) else { continue }
                printed += bytes
                last = link.now
            } catch {
                // A restart closes the connection behind the echo.
                guard error.isAbsence, !printed.isEmpty else { throw error }
                break
            }
        }
        return printed
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
