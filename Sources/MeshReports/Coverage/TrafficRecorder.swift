package import MeshCompanion

/// Watches one link and marks in the matrix what goes over it.
///
/// The radio answers in order, and an answer does not name its command. A response belongs to the oldest open command
/// whose row foresees it. The parts of a contact listing belong to the listing, whatever stands between them. A push
/// belongs to every command before it, within the check, whose row names it.
package struct TrafficRecorder {
    package private(set) var matrix: CoverageMatrix
    private var serial = SerialReceiver()
    private var wifi = WifiReceiver()
    /// Commands that are not answered yet, oldest first.
    private var open: [[UInt8]] = []
    /// The command of the contact listing that is running.
    private var listing: [UInt8]?
    /// The commands since the check began.
    private var sent: [CommandCode] = []

    /// The codes of commands that were answered by more than UNSUPPORTED_CMD.
    package private(set) var known: Set<UInt8> = []

    /// Commands that may stay without an answer; older ones are given up.
    static let openLimit = 64

    /// A recorder of what a radio of this version has.
    package init(firmware: FirmwareVersion = .standard) {
        matrix = CoverageMatrix(firmware: firmware)
    }

    // MARK: What happens

    /// Another check begins, perhaps with another radio.
    package mutating func begin() {
        sent = []
        linkChanged()
    }

    /// The link was dropped, or another client has it: answers to what was open may be lost.
    package mutating func linkChanged() {
        open = []
        serial.reset()
        wifi.reset()
    }

    /// Records bytes that went to the radio, in frames as the radio reads them.
    package mutating func wrote(_ bytes: [UInt8], isWifi: Bool) {
        if isWifi {
            _ = wifi.append(bytes)
            while let frame = wifi.nextFrame() { commanded(frame) }
        } else {
            _ = serial.append(bytes)
            while let frame = serial.nextFrame() { commanded(frame) }
        }
    }

    private mutating func commanded(_ frame: [UInt8]) {
        open.append(frame)
        if open.count > Self.openLimit { open.removeFirst() }
        if let code = frame.first.flatMap(CommandCode.init), !sent.contains(code) { sent.append(code) }
    }

    /// A frame came from the radio.
    package mutating func received(_ frame: [UInt8]) {
        matrix.mark(frame: frame)
        guard let first = frame.first, let code = RadioCode(first) else { return }
        switch code {
        case .push(let push): pushed(push, frame)
        case .response(let response): responded(response, frame)
        }
    }

    /// The radio has restarted.
    package mutating func restarted() {
        if let command = open.first(where: { Self.code($0)?.row.replies.isEmpty == true }) {
            matrix.markRestart(by: command)
        }
        listing = nil
        linkChanged()
    }

    // MARK: Whose answer it is

    private mutating func pushed(_ push: PushCode, _ frame: [UInt8]) {
        // The one push that can be the answer to a command: a frame of four bytes asks for it.
        let index = open.firstIndex { Self.code($0)?.row.pushReplies.contains(push) == true && $0.count == 4 }
        if let index { answered(index, frame) }
        for code in sent where code.row.later.contains(push) { matrix.mark(push, after: code) }
    }

    private mutating func responded(_ response: ResponseCode, _ frame: [UInt8]) {
        if let listing, response == .contact || response == .endOfContacts, !isAskedForByKey(frame) {
            matrix.mark(listing, answered: frame)
            if response == .endOfContacts { self.listing = nil }
            return
        }
        guard let index = open.firstIndex(where: { Self.mayAnswer($0, response, frame) }) else { return }
        switch (response, Self.code(open[index])) {
        case (.contactsStart, _): listing = open[index]
        // It aborts a listing.
        case (.selfInfo, _): listing = nil
        default: break
        }
        answered(index, frame)
    }

    private mutating func answered(_ index: Int, _ frame: [UInt8]) {
        matrix.mark(open[index], answered: frame)
        if frame != [ResponseCode.err.rawValue, ErrorCode.unsupportedCmd.rawValue], let code = open[index].first {
            known.insert(code)
        }
        open.removeFirst(index + 1)
    }

    /// Tells whether the oldest open command asks for the contact in this frame by its key.
    private func isAskedForByKey(_ contact: [UInt8]) -> Bool {
        guard let command = open.first, Self.code(command) == .getContactByKey else { return false }
        return command.dropFirst().prefix(32) == contact.dropFirst().prefix(32)
    }

    private static func code(_ command: [UInt8]) -> CommandCode? { command.first.flatMap(CommandCode.init) }

    private static func mayAnswer(_ command: [UInt8], _ response: ResponseCode, _ frame: [UInt8]) -> Bool {
        let error = response == .err ? frame.last.map(ErrorCode.init(rawValue:)) : nil
        guard let row = code(command)?.row else { return error == .unsupportedCmd }
        return error.map(row.mayRefuse) ?? row.mayReply(.response(response))
    }
}
