/// The security manager: the protocol in which two devices agree on keys, and exchange them.
///
/// Source: Bluetooth Core, Vol 3 Part H, 2.2.3, 2.2.4 and 3.3 to 3.6.
package enum SMP {
    /// The first bytes of its packets.
    package enum Code {
        /// Of the central: what it can and wants, 6 bytes.
        package static let pairingRequest: UInt8 = 0x01
        /// Of the peripheral: what it can and wants, 6 bytes.
        package static let pairingResponse: UInt8 = 0x02
        /// The value that a side commits itself to before it shows its random number, 16 bytes.
        package static let pairingConfirm: UInt8 = 0x03
        /// The random number of a side, 16 bytes.
        package static let pairingRandom: UInt8 = 0x04
        /// Ends a pairing, with a reason of 1 byte.
        package static let pairingFailed: UInt8 = 0x05
        /// Holds a long term key.
        package static let encryptionInformation: UInt8 = 0x06
        /// The numbers by which the peripheral finds that key again, 10 bytes.
        package static let centralIdentification: UInt8 = 0x07
        /// Holds an identity key.
        package static let identityInformation: UInt8 = 0x08
        /// The lasting address of a side, 7 bytes.
        package static let identityAddressInformation: UInt8 = 0x09
        /// Holds a signing key.
        package static let signingInformation: UInt8 = 0x0A
        /// Of the peripheral: asks the central to encrypt or to pair, 1 byte.
        package static let securityRequest: UInt8 = 0x0B
        /// The public key of a side on the curve P-256, X and Y, 64 bytes; Secure Connections only.
        package static let pairingPublicKey: UInt8 = 0x0C
        /// Proves that a side has the same secret, 16 bytes; Secure Connections only.
        package static let pairingDHKeyCheck: UInt8 = 0x0D
        /// A report that the user types, 1 byte.
        package static let keypressNotification: UInt8 = 0x0E
    }
}
