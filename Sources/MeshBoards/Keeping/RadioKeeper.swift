package import MeshCompanion
package import MeshTime
import MeshWire

/// Stores how a radio with an owner was, notes changes since, and knows the commands that restore it.
///
/// It sends nothing: a compliance run gives its commands to a `Probe`, a scenario to a session. Only for radios that
/// outlive a run. A clock that was set forward by less than a minute stays so; adverts that a removed contact had been
/// heard with are gone.
package struct RadioKeeper: Sendable {
    package let before: RadioRecord
    /// The settings of the radio during the run: those that it had, unless the run wants others.
    package var baseline: RadioRecord
    /// The time of the radio's clock, and the moment at which it was read.
    package var clock: (unixSeconds: UInt32, at: Instant)?

    /// True where contacts of type 0 lie in hidden slots: removing one hides another contact.
    package var hidesTransients = true

    private var touched: [UInt8] = []
    private var touchedChannels: [UInt8] = []
    private var touchedContacts: [[UInt8]] = []
    /// All nodes that may have become known to the radio since the run began.
    package private(set) var met: [[UInt8]] = []
    /// Codes of commands of the way back that the radio has left unanswered.
    private var postponed: [UInt8] = []
    /// Commands with such codes, which are tried again at the end of the run.
    private var late: [any CommandFrame] = []
    /// Tells whether packets were sent to the radio, which it may answer.
    private var hasHeard = false

    package init(_ before: RadioRecord) {
        self.before = before
        baseline = before
    }

    // MARK: What may have changed

    /// Notes what a command is going to change, but for the node of a card that it imports.
    package mutating func note(command frame: [UInt8]) {
        guard let code = frame.first else { return }
        switch CommandCode(rawValue: code) {
        case .addUpdateContact:
            if frame.count > 33, frame[33] != 0 || !hidesTransients { note(contact: frame[1..<33]) }
        case .setChannel: if frame.count > 1 { Self.note(frame[1], in: &touchedChannels) }
        default: break
        }
        Self.note(code, in: &touched)
    }

    /// Notes a node that the radio may add by itself.
    package mutating func note(contact key: ArraySlice<UInt8>) {
        guard key.count == 32, key.contains(where: { $0 != 0 }) else { return }
        Self.note([UInt8](key), in: &touchedContacts)
        Self.note([UInt8](key), in: &met)
    }

    /// Notes that a packet is sent to the radio, which it may answer.
    package mutating func noteHeard() { hasHeard = true }

    /// Notes all in which the radio is not as it is to be, and what cannot be asked for.
    package mutating func note(differencesTo now: RadioRecord) {
        let there = now.settings.map { $0.encoded() }
        for setting in baseline.settings where !there.contains(setting.encoded()) {
            Self.note(type(of: setting).codeByte, in: &touched)
        }
        Self.note(SetFloodScopeKey.codeByte, in: &touched)
        for channel in baseline.channels where !now.channels.contains(where: channel.isSame) {
            Self.note(channel.channelIndex, in: &touchedChannels)
        }
        for contact in now.contacts where !baseline.contacts.contains(contact) {
            note(contact: contact.publicKey.array[...])
        }
        for contact in baseline.contacts where !now.contacts.contains(contact) {
            note(contact: contact.publicKey.array[...])
        }
    }

    private static func note<T: Equatable>(_ value: T, in list: inout [T]) {
        if !list.contains(value) { list.append(value) }
    }

    /// Notes that the radio leaves commands with this code unanswered: after a statement they are not sent any more.
    package mutating func postpone(_ code: UInt8) {
        Self.note(code, in: &postponed)
    }

    // MARK: Questions

    /// Tells whether anything was changed or may have been.
    package var hasTouched: Bool { !touched.isEmpty || !touchedContacts.isEmpty }

    /// Tells whether the run made this node known to the radio.
    package func hasMet(_ key: ArraySlice<UInt8>) -> Bool { touchedContacts.contains { $0.elementsEqual(key) } }

    /// Tells whether the radio may have something to send.
    package var mayBeSending: Bool { hasHeard || touched.contains { CommandCode(rawValue: $0)?.mayTransmit == true } }

    // MARK: The way back

    /// The commands that bring what was touched to the baseline; nothing counts as touched after that.
    package mutating func takeRestoration() -> [any CommandFrame] {
        defer {
            hasHeard = false
            touched = []
            touchedChannels = []
            touchedContacts = []
        }
        var commands: [any CommandFrame] = []
        if touched.contains(ImportPrivateKey.codeByte), let key = before.privateKey {
            commands.append(ImportPrivateKey(privateKey: key))
        }
        for key in touchedContacts where !baseline.contacts.contains(where: { $0.publicKey.array == key }) {
            commands.append(RemoveContact(publicKey: FixedBytes(key)))
        }
        for contact in baseline.contacts where touchedContacts.contains(contact.publicKey.array) {
            commands.append(AddUpdateContact(restoring: contact))
        }
        for channel in baseline.channels where touchedChannels.contains(channel.channelIndex) {
            commands.append(
                SetChannel(channelIndex: channel.channelIndex, name: channel.name, secret: channel.secret))
        }
        commands += baseline.settings.filter { touched.contains(type(of: $0).codeByte) }
        for command in commands where postponed.contains(type(of: command).codeByte) {
            if !late.contains(where: { $0.encoded() == command.encoded() }) { late.append(command) }
        }
        return commands.filter { !postponed.contains(type(of: $0).codeByte) }
    }

    /// The commands that restore the radio's state before the run: all settings, and all contacts where they may be
    /// replaced. Nothing counts as touched after that.
    package mutating func takeWholeRestoration(withContacts: Bool) -> [any CommandFrame] {
        baseline = before
        for setting in before.settings { Self.note(type(of: setting).codeByte, in: &touched) }
        if withContacts { for contact in before.contacts { note(contact: contact.publicKey.array[...]) } }
        defer { late = [] }
        // A setting that was late is among all settings.
        postponed = []
        let commands = takeRestoration()
        let codes = before.settings.map { type(of: $0).codeByte }
        return late.filter { !codes.contains(type(of: $0).codeByte) } + commands
    }

    /// Describes the subject of a command of the way back, without the secrets that may be in it.
    package static func subject(of command: any CommandFrame) -> String {
        switch command {
        case let command as AddUpdateContact:
            "the contact \(command.publicKey.array.prefix(6).hex) \(command.name.text.untilNUL.string)"
        case let command as RemoveContact: "the run's contact \(command.publicKey.array.prefix(6).hex)"
        case let command as SetChannel: "the channel in slot \(command.channelIndex)"
        case is ImportPrivateKey: "the identity"
        default: "the setting of \(type(of: command).code.wireName)"
        }
    }
}

extension Resp.ChannelInfo {
    /// Tells whether the slot holds the same channel. Bytes after the NUL of a name are left from an earlier frame.
    fileprivate func isSame(_ other: Resp.ChannelInfo) -> Bool {
        channelIndex == other.channelIndex && name.text.untilNUL == other.name.text.untilNUL && secret == other.secret
    }
}

extension CommandCode {
    /// Tells whether it puts something on the air.
    package var mayTransmit: Bool {
        switch self {
        case .sendTxtMsg, .sendChannelTxtMsg, .sendSelfAdvert, .shareContact, .sendRawData, .sendLogin, .sendStatusReq,
            .sendTracePath, .sendTelemetryReq, .sendBinaryReq, .sendPathDiscoveryReq, .sendControlData, .sendAnonReq,
            .sendChannelData, .sendRawPacket:
            true
        default: false
        }
    }
}
