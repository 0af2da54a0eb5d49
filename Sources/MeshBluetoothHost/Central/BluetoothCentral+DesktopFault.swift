extension BluetoothCentral {
    /// A fault that prevents a link where bluetoothd manages the adapter. Texts are bluetoothd's own.
    package enum DesktopFault: Error, Hashable, Sendable {
        /// The system has no bus.
        case noBus(String)
        /// bluetoothd is not on the bus, or has left it.
        case noDaemon
        /// bluetoothd is on the bus, and does not answer.
        case noAnswer
        /// There is none of this name, or none at all.
        case noAdapter(String?)
        /// It is switched off.
        case poweredOff(String)
        /// It was there, and is not any more.
        case adapterGone(String)
        /// This user may not.
        case notAllowed
        /// The connection does not come about.
        case notConnected(String)
        /// The pairing has failed, not for the PIN.
        case notPaired(String)
        /// The connection has ended; bluetoothd does not say why.
        case linkLost
        /// Any other refusal: the error's name without its prefix, and its text.
        case refused(name: String, text: String)
    }
}

extension BluetoothCentral.DesktopFault: CustomStringConvertible {
    /// The fault and its remedy: one sentence without a full stop.
    package var description: String {
        switch self {
        case .noBus(let reason):
            "the system has no bus for bluetoothd (\(reason)); 'sudo systemctl start dbus bluetooth' starts both"
        case .noDaemon: "bluetoothd does not run; 'sudo systemctl start bluetooth' starts it"
        case .noAnswer: "bluetoothd does not answer; 'sudo systemctl restart bluetooth' starts it anew"
        case .noAdapter(nil): "bluetoothd has no adapter; plug one in, and look with 'meshbed ble doctor'"
        case .noAdapter(let name?): "bluetoothd has no adapter \(name); 'bluetoothctl list' lists those that it has"
        case .poweredOff(let name):
            "the adapter \(name) is off; 'bluetoothctl power on' switches it on, after 'sudo rfkill unblock bluetooth' "
                + "where that is needed"
        case .adapterGone(let name): "the adapter \(name) is gone; plug it in and try again"
        case .notAllowed:
            "this user may not use bluetoothd; 'sudo usermod -aG bluetooth $USER' and a new login allow it"
        case .notConnected(let text):
            "the connection does not come about (\(text)); bring the radio nearer and try again"
        case .notPaired(let text): "pairing has failed (\(text)); restart the radio and try again"
        case .linkLost: "the link has ended; bring the radio near, end its link with any other app and dial again"
        case .refused(let name, let text):
            "bluetoothd refuses (\(text.isEmpty ? name : "\(name): \(text)")); 'meshbed ble doctor' says what is missing"
        }
    }
}
