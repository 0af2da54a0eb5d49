import Glibc

extension BluetoothRadio {
    /// Returns the passkey for pairing: the PIN of the address, else that of the environment, else the usual one.
    package func passkey() throws(LinkError) -> UInt32 { try passkey(inEnvironment: Self.pinOfEnvironment) }

    /// The same where the environment has this text, or none.
    func passkey(inEnvironment text: String?) throws(LinkError) -> UInt32 {
        if let pin { return pin }
        guard let text else { return Self.defaultPIN }
        guard let pin = Self.pin(text) else {
            throw .unreachable(.bluetooth(self), reason: "\(Self.pinVariable) has not six digits")
        }
        return pin
    }

    /// Neither the address nor the environment has a PIN.
    package var lacksPIN: Bool { pin == nil && Self.pinOfEnvironment == nil }

    private static var pinOfEnvironment: String? { getenv(pinVariable).map { String(cString: $0) } }
}
