package import MeshBluetoothHost
package import MeshBus

// The agent, errors, and what is printed.
extension DesktopCentral {
    /// Answers bluetoothd alone: the PIN of the radio that is being paired with, and nothing besides.
    mutating func answer(_ call: BusCall) {
        guard call.path == Self.agentPath, call.interface == DesktopNames.agent else {
            outputs.append(.refuse(call, name: DesktopNames.unknownMethod))
            return
        }
        guard !owner.isEmpty, call.sender == owner else {
            outputs.append(.refuse(call, name: DesktopNames.rejected))
            return
        }
        switch call.method {
        case "RequestPasskey":
            guard case .subscribing(var setup) = state, setup.isPairing, call.arguments.first?.text == setup.device
            else { return outputs.append(.refuse(call, name: DesktopNames.rejected)) }
            setup.hasTyped = true
            state = .subscribing(setup)
            outputs.append(.answer(call, [.uint32(passkey)]))
        case "Release":
            held.hasAgent = false
            outputs.append(.answer(call, []))
        case "Cancel": outputs.append(.answer(call, []))
        default: outputs.append(.refuse(call, name: DesktopNames.rejected))
        }
    }
}

extension BusError {
    /// The name of one of bluetoothd's own errors, without the common prefix.
    package var bluezName: String? {
        guard case .refused(let name, _) = self, name.hasPrefix(DesktopNames.errors) else { return nil }
        return String(name.dropFirst(DesktopNames.errors.count))
    }
}

extension BluetoothCentral.Failure {
    /// Translates an error of bluetoothd for the dialing caller.
    init(_ error: BusError, adapter: String, hasTyped: Bool) {
        if case .refused(_, let text) = error, let name = error.bluezName {
            self = Self.bluez(name, DesktopObjects.shown(text), adapter: adapter, hasTyped: hasTyped)
        } else if case .refused(let name, _) = error,
            ["UnknownObject", "UnknownMethod"].contains(where: { name.hasSuffix(".\($0)") })
        {
            // The object was there: bluetoothd has forgotten the device.
            self = .desktop(.linkLost)
        } else {
            self = .desktop(.init(error))
        }
    }

    /// Returns the meaning of bluetoothd's own errors.
    private static func bluez(
        _ name: String, _ text: String, adapter: String, hasTyped: Bool
    ) -> BluetoothCentral.Failure {
        switch name {
        case "NotReady": .desktop(.poweredOff(adapter))
        case "AuthenticationFailed": hasTyped ? .wrongPIN : .desktop(.notPaired("without a PIN"))
        case "AuthenticationTimeout": .timedOut(.subscribingToNotifications)
        case "AuthenticationCanceled", "AuthenticationRejected": .desktop(.notPaired(name))
        case "ConnectionAttemptFailed": .desktop(.notConnected(text.isEmpty ? name : text))
        case "NotConnected", "DoesNotExist", "NotAvailable": .desktop(.linkLost)
        case "InProgress", "NotAcquired", "NotifyAcquired": .busy
        case "NotSupported": .characteristicMissing
        case "NotPermitted": .refused(.insufficientAuthentication)
        case "NotAuthorized": .refused(.insufficientAuthorization)
        case "InvalidValueLength": .refused(.invalidValueLength)
        case "Failed": failed(text)
        default: .desktop(.refused(name: DesktopObjects.shown(name), text: text))
        }
    }

    /// Returns the meaning of `org.bluez.Error.Failed`, whose text describes the failure.
    private static func failed(_ text: String) -> BluetoothCentral.Failure {
        let attribute = "ATT error: 0x"
        if text.lowercased() == "not connected" { return .desktop(.linkLost) }
        if let code = text.split(separator: attribute).last, text.contains(attribute),
            let number = UInt8(code.prefix(2), radix: 16)
        {
            return .refused(ATT.ErrorCode(rawValue: number))
        }
        return .desktop(.notConnected(text))
    }
}

extension BluetoothCentral.DesktopFault {
    /// Translates an error of the way to bluetoothd; one of its own is a refusal with that name.
    package init(_ error: BusError) {
        switch error {
        case .unavailable(let reason): self = .noBus(DesktopObjects.shown(reason))
        case .invalid(let reason): self = .refused(name: "invalid", text: DesktopObjects.shown(reason))
        case .refused("org.freedesktop.DBus.Error.AccessDenied", _): self = .notAllowed
        case .refused("org.freedesktop.DBus.Error.NoReply", _): self = .noAnswer
        case _ where error.meansAbsence: self = .noDaemon
        case .refused(let name, let text):
            self = .refused(name: DesktopObjects.shown(error.bluezName ?? name), text: DesktopObjects.shown(text))
        }
    }
}

extension DesktopCentral: CustomStringConvertible, CustomReflectable {
    /// The radio and the phase; never the PIN.
    var description: String { "Bluetooth link to \(peer), \(phase.rawValue)" }
    /// The mirror without the PIN, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: ["peer": peer, "phase": phase.rawValue]) }
}

extension DesktopCentral.Output: CustomStringConvertible, CustomReflectable {
    /// The kind of the output, without the PIN that an answer of the agent carries.
    var description: String {
        switch self {
        case .ask(let number, let request, _): "ask \(number): \(request.method) of \(request.path)"
        case .answer(let call, _): "answer \(call.method)"
        case .refuse(let call, let name): "refuse \(call.method): \(name)"
        case .ready(let mtu): "ready, MTU \(mtu)"
        case .frame(let frame): "frame of \(frame.count) bytes"
        case .hasRoom: "has room"
        case .notWritten(let error): "not written\(error.map { ": \($0)" } ?? " in time")"
        case .found(let neighbor): "found \(neighbor.name ?? "")"
        case .ended(let failure): "ended: \(failure)"
        }
    }

    /// The mirror without the values of an answer, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
