import NIOCore

/// A pseudo-terminal at which apps find the radio, as they find a board on USB.
///
/// A client that opens it has connected; one that closes it has left. When the radio goes away the terminal hangs up,
/// as the driver does when the cable is pulled. Another terminal then replaces it under the same link.
final class TapTerminal: TapDoor {
    let place: LinkAddress
    private let path: String
    private let eventLoop: any EventLoop
    private let report: (TapArrival) -> Void
    private var terminal: Terminal?
    private var app: TapSide?

    private init(path: String, on eventLoop: any EventLoop, report: @escaping (TapArrival) -> Void) {
        self.path = path
        self.eventLoop = eventLoop
        self.report = report
        place = .pty(path: path)
    }

    static func open(
        path: String, on eventLoop: any EventLoop, report: @escaping (TapArrival) -> Void
    ) -> EventLoopFuture<NIOLoopBound<any TapDoor>> {
        let door = TapTerminal(path: path, on: eventLoop, report: report)
        let bound = NIOLoopBound<any TapDoor>(door, eventLoop: eventLoop)
        return door.makeTerminal().map { bound }
    }

    /// Makes the terminal, and reports opens and closes from now on. There is none when that fails.
    private func makeTerminal() -> EventLoopFuture<Void> {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        do {
            let terminal = try Terminal(linkPath: path)
            self.terminal = terminal
            return try terminal.watchClients(on: eventLoop) { [weak self] in self?.clientsChanged() }
                .flatMapErrorThrowing { error in
                    this.value.stop()
                    throw error
                }
        } catch {
            stop()
            return eventLoop.makeFailedFuture(error)
        }
    }

    var hasInput: Bool { terminal?.hasInput ?? false }

    private func clientsChanged() {
        guard let terminal else { return }
        if terminal.hasClient, app == nil {
            connect(terminal)
        } else if !terminal.hasClient, let app {
            report(.left(app))
        }
    }

    private func connect(_ terminal: Terminal) {
        let side = TapSide(endsOutputAlone: false) { [report] in report(.event($0, $1)) }
        app = side
        let bound = NIOLoopBound((side, report), eventLoop: eventLoop)
        terminal.channel(flow: TapSide.flow, on: eventLoop) { channel in
            try channel.pipeline.syncOperations.addHandler(bound.value.0)
        }.whenFailure { bound.value.1(.failed($0)) }
    }

    func release(isRadioGone: Bool) {
        app = nil
        guard let terminal else { return }
        if isRadioGone {
            stop()
            let report = NIOLoopBound(report, eventLoop: eventLoop)
            makeTerminal().whenFailure { report.value(.failed($0)) }
        } else {
            terminal.forgetUnread()
            terminal.makeRaw()
            // Somebody may have opened it meanwhile.
            clientsChanged()
        }
    }

    func stop() {
        terminal?.close()
        terminal = nil
    }
}
