import MeshWire

extension BluetoothCentral {
    /// The reason why a link has ended, or did not come about.
    package enum Failure: Error, Hashable, Sendable {
        /// It was not heard; names of others that were.
        case noDevice(Peer, heard: [String])
        /// The connection did not come about: the controller's error.
        case notConnected(status: UInt8)
        /// It has no Nordic UART service.
        case noService
        /// The service has no value to write, or none that notifies.
        case characteristicMissing
        /// The radio shows another PIN.
        case wrongPIN
        /// None was given, or not in time.
        case pinWanted
        /// Too many wrong ones were tried.
        case tooManyAttempts
        /// The pairing or the encryption came to no end.
        case notPaired(SecurityManager.Failure)
        /// Keys were lost on one side, and pairing anew has not mended it.
        case bondLost
        /// The radio refuses what every radio offers.
        case refused(ATT.ErrorCode)
        /// A phase lasted too long.
        case timedOut(Phase)
        /// The radio broke the rules of Bluetooth.
        case faulty(BluetoothHost.Fault)
        /// The connection ended: the controller's error code.
        case disconnected(reason: UInt8)
        /// The controller is busy with something else.
        case busy
        /// The controller is of no use any more.
        case controller(BluetoothHost.Failure)
        /// bluetoothd, or what it looks after, is of no use.
        case desktop(DesktopFault)
        /// This side has ended it.
        case hungUp

        /// Translates a failed pairing for the side that dials.
        init(_ failure: SecurityManager.Failure, hadPasskey: Bool) {
            switch failure {
            case .ended(_, .wrongPasskey), .ended(_, .wrongConfirm), .ended(_, .wrongCheck),
                .endedByPeer(.confirmValueFailed), .endedByPeer(.dhKeyCheckFailed):
                self = .wrongPIN
            case .ended(_, .noPasskey): self = .pinWanted
            case .timedOut where !hadPasskey: self = .pinWanted
            case .ended(_, .tooManyAttempts), .endedByPeer(.repeatedAttempts): self = .tooManyAttempts
            case .keyMissing: self = .bondLost
            case .ended, .endedByPeer, .timedOut, .notEncrypted: self = .notPaired(failure)
            }
        }
    }
}

extension BluetoothCentral.Failure {
    /// Tells whether another attempt fails the same way, until the user has followed the sentence.
    package var isFinal: Bool {
        switch self {
        case .noService, .characteristicMissing, .wrongPIN, .pinWanted, .tooManyAttempts, .bondLost: true
        case .desktop(.noAdapter), .desktop(.notAllowed), .desktop(.noBus): true
        case .noDevice, .notConnected, .notPaired, .refused, .timedOut, .faulty, .disconnected, .busy, .controller,
            .desktop, .hungUp:
            false
        }
    }
}

extension BluetoothCentral.Failure: CustomStringConvertible {
    /// The failure and its remedy: one sentence without a full stop.
    package var description: String {
        switch self {
        case .noDevice(let peer, let heard):
            "no radio \(peer) was heard; switch it on, bring it near and end its link with any other app"
                + (heard.isEmpty ? "" : " (heard: \(heard.joined(separator: ", ")))")
        case .notConnected(let status):
            "the connection does not come about (\(Self.name(status))); bring the radio nearer and try again"
        case .noService: "it has no Nordic UART service and is no MeshCore radio; dial another device"
        case .characteristicMissing:
            "its Nordic UART service lacks a value to write or one that notifies; install MeshCore's firmware on it"
        case .wrongPIN: "it shows another PIN; dial it again with that one"
        case .pinWanted: "it wants the PIN that it shows; dial it again with that one"
        case .tooManyAttempts: "too many wrong PINs were tried; wait a minute, then dial with the PIN that it shows"
        case .notPaired(let failure): "pairing has failed (\(failure)); restart the radio and try again"
        case .bondLost:
            "it has lost the keys of this machine and does not pair again; remove this machine in its settings"
        case .refused(let error): "it refuses to be subscribed to (\(error)); restart the radio and try again"
        case .timedOut(let phase): "\(Self.sentence(phase)); bring it nearer, or restart it, and try again"
        case .faulty(let fault): "it breaks the rules of Bluetooth (\(Self.name(fault))); restart it and try again"
        case .disconnected(let reason): Self.sentence(disconnected: reason)
        case .busy: "the controller is connected or scanning already; end what else it does"
        case .controller(let failure): "the controller is lost (\(failure)); check it and try again"
        case .desktop(let fault): "\(fault)"
        case .hungUp: "this side has ended the link"
        }
    }

    private static func sentence(_ phase: BluetoothCentral.Phase) -> String {
        switch phase {
        case .connecting: "it is heard and does not answer"
        case .discoveringServices: "it does not tell its services in time"
        case .subscribingToNotifications: "pairing and subscribing take too long"
        case .idle, .waitingForBluetooth, .scanning, .connected, .disconnecting: "it does not answer in time"
        }
    }

    private static func sentence(disconnected reason: UInt8) -> String {
        switch reason {
        case 0x08, 0x22: "it is not heard any more; bring it nearer or switch it on"
        case 0x13, 0x14, 0x15: "the radio has ended the link; end its link with any other app and dial again"
        case 0x05, 0x06, 0x3D: "the link could not be encrypted; remove this machine in the radio's settings"
        default: "the link has ended (\(name(reason))); dial again"
        }
    }

    private static func name(_ fault: BluetoothHost.Fault) -> String {
        switch fault {
        case .silent: "a request without an answer"
        case .malformed: "packets that cannot be read"
        case .flooding: "too many requests at once"
        }
    }

    private static func name(_ status: UInt8) -> String { "error 0x\([status].hex)" }
}

extension BluetoothCentral: CustomStringConvertible, CustomReflectable {
    /// The radio and the phase; never the PIN or a key.
    package var description: String { "Bluetooth link to \(peer), \(phase.rawValue)" }
    /// Without the PIN and the keys, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["peer": peer, "phase": phase.rawValue]) }
}

extension BluetoothCentral.Output: CustomStringConvertible, CustomReflectable {
    /// The kind of output; of a packet its type and length alone, for it may hold a key.
    package var description: String {
        switch self {
        case .send(let packet): "send a packet of type \(packet.first ?? 0), \(packet.count) bytes"
        case .ready(let mtu): "ready, MTU \(mtu)"
        case .frame(let frame): "frame of \(frame.count) bytes"
        case .hasRoom: "has room"
        case .notWritten(let error): "not written\(error.map { ": \($0)" } ?? " in time")"
        case .pinWanted: "PIN wanted"
        case .keep(let peers): "keep \(peers.count) bonds"
        case .found(let advertiser): "found \(advertiser.facts) at \(advertiser.address)"
        case .note(let text): "note \(text)"
        case .ended(let failure): "ended: \(failure)"
        }
    }

    /// Without what a packet holds, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
