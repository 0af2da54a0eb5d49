import CBluetooth
import MeshBluetoothHost

extension SecurityLevel {
    /// The security of a socket's connection, `BT_SECURITY`: a level, and the bytes of the key that encrypts.
    ///
    /// A level alone proves nothing. A connection that has been lost, or was never encrypted, may show the requested
    /// one. Keys have 7 bytes at least.
    init(ofSocket level: UInt8, keySize: UInt8, isOpen: Bool) {
        guard isOpen, 7...16 ~= keySize else {
            self = .none
            return
        }
        switch level {
        case bluetooth_security_medium: self = .encrypted
        case bluetooth_security_high: self = .authenticated
        case bluetooth_security_fips: self = .authenticatedSecure
        default: self = .none
        }
    }
}
