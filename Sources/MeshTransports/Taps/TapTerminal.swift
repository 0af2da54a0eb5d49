import MeshLinks
import NIOCore

/// A pseudo-terminal at which apps find the radio, as they find a board on USB.
///
/// Whoever opens it has connected, whoever closes it has left. When the radio goes away the terminal hangs up, as the
/// driver does when the cable is pulled, and another one takes its place under the same link.
final class TapTerminal: TapDoor {
    let place: LinkAddress
    private let path: String
    private let eventLoop: any EventLoop
    private let report: (TapArrival) -> Void
    private var terminal: Terminal
    private var watching: (any NIOCore.Channel)?
    private var watch: TerminalWatch?
    private var app: TapSide?
    private var isStopped = false

    init(path: String, on eventLoop: any EventLoop, report: @escaping (TapArrival) -> Void) throws(TapError) {
        self.path = path
        self.eventLoop = eventLoop
        self.report = report
        place = .pty(path: path)
        terminal = try Self.make(path)
        try watchTerminal()
    }

    private static func make(_ path: String) throws(TapError) -> Terminal {
        do {
            return try Terminal(linkPath: path)
        } catch {
            throw TapError("\(error)")
        }
    }

    var unread: Int { terminal.waiting }

    /// Learns who opens and closes the terminal.
    private func watchTerminal() throws(TapError) {
        let watch = TerminalWatch { [weak self] in self?.openersChanged() }
        let bound = NIOLoopBound((self, watch), eventLoop: eventLoop)
        do {
            let opened = try TerminalWatch.channel(watching: terminal.slavePath, on: eventLoop) { channel in
                try channel.pipeline.syncOperations.addHandler(bound.value.1)
            }
            self.watch = watch
            opened.whenSuccess { channel in
                let (door, watch) = bound.value
                if door.watch === watch { door.watching = channel } else { channel.close(promise: nil) }
            }
        } catch {
            throw TapError("\(error)")
        }
    }

    private func openersChanged() {
        guard let watch, !isStopped else { return }
        let isOpen = watch.openCount > 0 || watch.isBlind
        if isOpen, app == nil {
            connect()
        } else if !isOpen, let app {
            report(.left(app))
        }
    }

    private func connect() {
        let side = TapSide(endsOutputAlone: false) { [report] in report(.event($0, $1)) }
        app = side
        let bound = NIOLoopBound((self, side), eventLoop: eventLoop)
        terminal.channel(flow: TapSide.flow, on: eventLoop) { channel in
            try channel.pipeline.syncOperations.addHandler(bound.value.1)
        }.whenFailure { _ in
            let (door, side) = bound.value
            if door.app === side { door.app = nil }
        }
    }

    func release(isRadioGone: Bool) throws(TapError) {
        app = nil
        guard !isStopped else { return }
        if isRadioGone {
            closeTerminal()
            terminal = try Self.make(path)
            try watchTerminal()
        } else {
            terminal.forgetUnread()
            terminal.makeRaw()
            // Somebody may have opened it meanwhile.
            openersChanged()
        }
    }

    private func closeTerminal() {
        watch = nil
        watching?.close(promise: nil)
        watching = nil
        terminal.close()
    }

    func stop() -> EventLoopFuture<Void> {
        guard !isStopped else { return eventLoop.makeSucceededVoidFuture() }
        isStopped = true
        let closing = watching?.close().recover { _ in } ?? eventLoop.makeSucceededVoidFuture()
        watching = nil
        closeTerminal()
        return closing
    }
}
