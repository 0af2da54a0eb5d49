package import MeshCompanion
import MeshWire

// Frames to the app.
extension CompanionRadio {
    /// Sends a frame that is assembled in the transmit buffer.
    mutating func send(_ frame: some CodedFrame) {
        send(bytes: frame.encoded())
    }

    /// Sends bytes through the transmit buffer; leftovers behind them stay where they are.
    ///
    /// More than a frame is refused by the transport, and still spoils the buffer.
    mutating func send(bytes: [UInt8]) {
        let count = min(bytes.count, transmitBuffer.count)
        transmitBuffer.replaceSubrange(..<count, with: bytes[..<count])
        put(bytes)
    }

    /// Sends a short frame that the firmware does not assemble in the transmit buffer.
    mutating func sendApart(_ frame: some CodedFrame) {
        put(frame.encoded())
    }

    /// Sends a push that is made only while an app is there.
    package mutating func pushIfConnected(_ frame: some PushFrame) {
        if interface.isConnected { send(frame) }
    }

    package mutating func pushMessageWaiting() {
        if interface.isConnected { sendApart(Push.MsgWaiting()) }
    }

    package mutating func ok() {
        sendApart(Resp.OK())
    }

    package mutating func refuse(_ error: ErrorCode) {
        assert(
            isHooked || isForeseen(error), "the table does not let \(String(describing: command)) refuse with \(error)"
        )
        put([ResponseCode.err.rawValue, error.rawValue])
    }

    private mutating func put(_ bytes: [UInt8]) {
        if isHooked {
            let hooks = hooks[0]
            return hooks.write(bytes, of: &self)
        }
        guard bytes.count <= core.switches.frameLimit else { return }
        assert(isForeseen(bytes), "the table does not let \(String(describing: command)) be answered with \(bytes)")
        interface.write(bytes, into: &core.effects)
    }

    // MARK: The table

    /// Returns whether the table foresees the frame as an answer to the command that is being executed.
    private func isForeseen(_ bytes: [UInt8]) -> Bool {
        guard let row = command?.row, let code = bytes.first.flatMap({ RadioCode($0) }) else { return true }
        if row.mayReply(code) || code == .response(.err) { return true }
        if answersReset { return true }
        guard case .push(let push) = code else { return false }
        return row.later.contains(push)
    }

    private func isForeseen(_ error: ErrorCode) -> Bool {
        guard core.quirks == .all, !answersReset, let row = command?.row else { return true }
        return row.mayRefuse(error)
    }

    /// A reset writes its answer into an interface that is already shut, or that firmware up to 1.16 does not shut.
    private var answersReset: Bool {
        !interface.isConnected || command == .factoryReset && !core.switches.disablesStreams
    }
}
