import MeshWire

// Whatever prints a host, what it is asked for or what it tells, prints no key and no passkey.

extension BluetoothHost: CustomStringConvertible, CustomReflectable {
    /// The state of the host, and its connections.
    package var description: String { "Bluetooth host, \(isReady ? "ready" : "not ready"), \(openLinks)" }
    /// Without what it was made with, and its keys, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["isReady": isReady, "openLinks": openLinks]) }
}

extension BluetoothHost.Event: CustomStringConvertible, CustomReflectable {
    /// The case and its values, without the passkey that is shown.
    package var description: String { words.text }
    /// Without the passkey that is shown, for `dump` and test reports.
    package var customMirror: Mirror { words.mirror(self) }

    private var words: CaseWords {
        switch self {
        case .ready(let controller): CaseWords("ready", controller)
        case .advertising(let isOn): CaseWords("advertising", isOn)
        case .scanning(let isOn): CaseWords("scanning", isOn)
        case .found(let advertiser): CaseWords("found", advertiser)
        case .connected(let link, let connection): CaseWords("connected", link, connection)
        case .connectFailed(let peer, let status): CaseWords("connectFailed", peer, status)
        case .turnedAway(let peer): CaseWords("turnedAway", peer)
        case .passkeyWanted(let link): CaseWords("passkeyWanted", link)
        case .passkeyShown(let link, _): CaseWords("passkeyShown", link)
        case .secured(let link, let level): CaseWords("secured", link, level)
        case .securityFailed(let link, let failure): CaseWords("securityFailed", link, failure)
        case .known(let peer): CaseWords("known", peer)
        case .forgotten(let peer): CaseWords("forgotten", peer)
        case .mtu(let link, let mtu): CaseWords("mtu", link, mtu)
        case .written(let link, let handle, let value): CaseWords("written", link, handle, value)
        case .subscribed(let link, let subscription): CaseWords("subscribed", link, subscription)
        case .confirmed(let link, let handle): CaseWords("confirmed", link, handle)
        case .discovered(let link, let database): CaseWords("discovered", link, database)
        case .value(let link, let handle, let value): CaseWords("value", link, handle, value)
        case .accepted(let link, let handle): CaseWords("accepted", link, handle)
        case .refused(let link, let opcode, let handle, let error): CaseWords("refused", link, opcode, handle, error)
        case .notified(let link, let handle, let value): CaseWords("notified", link, handle, value)
        case .hasRoom(let link): CaseWords("hasRoom", link)
        case .parameters(let link, let parameters): CaseWords("parameters", link, parameters)
        case .faulty(let link, let fault): CaseWords("faulty", link, fault)
        case .disconnected(let link, let reason): CaseWords("disconnected", link, reason)
        case .linkLost(let link, let span): CaseWords("linkLost", link, span)
        case .notAdvertised: CaseWords("notAdvertised")
        case .notDone(let opcode, let status): CaseWords("notDone", opcode, status)
        case .failed(let failure): CaseWords("failed", failure)
        }
    }
}

extension BluetoothHost.Request: CustomStringConvertible, CustomReflectable {
    /// The case and its values, without the passkey that was typed.
    package var description: String { words.text }
    /// Without the passkey that was typed, for `dump` and test reports.
    package var customMirror: Mirror { words.mirror(self) }

    private var words: CaseWords {
        switch self {
        case .advertise(let advertisement): CaseWords("advertise", advertisement)
        case .stopAdvertising: CaseWords("stopAdvertising")
        case .scan(let scan): CaseWords("scan", scan)
        case .stopScanning: CaseWords("stopScanning")
        case .connect(let peer): CaseWords("connect", peer)
        case .cancelConnect: CaseWords("cancelConnect")
        case .disconnect(let link): CaseWords("disconnect", link)
        case .pair(let link): CaseWords("pair", link)
        case .passkey(let link, _): CaseWords("passkey", link)
        case .exchangeMTU(let link): CaseWords("exchangeMTU", link)
        case .discover(let link, let service): CaseWords("discover", link, service as Any)
        case .read(let link, let handle): CaseWords("read", link, handle)
        case .write(let link, let handle, let value, let withResponse):
            CaseWords("write", link, handle, value, withResponse)
        case .subscribe(let link, let value, let configuration): CaseWords("subscribe", link, value, configuration)
        case .notify(let link, let handle, let value): CaseWords("notify", link, handle, value)
        case .indicate(let link, let handle, let value): CaseWords("indicate", link, handle, value)
        case .indicateUnasked(let link, let handle, let value): CaseWords("indicateUnasked", link, handle, value)
        case .setValue(let handle, let value): CaseWords("setValue", handle, value)
        case .updateParameters(let link, let parameters): CaseWords("updateParameters", link, parameters)
        case .forget(let peer): CaseWords("forget", peer)
        case .setRandomAddress(let address): CaseWords("setRandomAddress", address)
        }
    }
}

extension BluetoothHost.Failure: CustomStringConvertible {
    /// The failure of the controller, as a sentence without a full stop that begins with "it".
    package var description: String {
        switch self {
        case .closed: "it has ended the connection"
        case .silent(let opcode): "it does not answer the command \(Self.hex(opcode))"
        case .refused(let opcode, let status):
            "it refuses the command \(Self.hex(opcode)) with error 0x\([status].hex)"
        case .malformed(let error): "it sends what is no packet of a Bluetooth controller (\(error))"
        case .hardware(let code): "it reports a hardware error, 0x\([code].hex)"
        case .useless: "it has no buffers for Bluetooth low energy"
        case .overflow: "it does not take commands"
        }
    }

    private static func hex(_ opcode: UInt16) -> String {
        "0x" + [UInt8(opcode >> 8), UInt8(truncatingIfNeeded: opcode)].hex
    }
}
