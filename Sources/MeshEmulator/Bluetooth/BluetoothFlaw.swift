import MeshFirmware
import MeshTime

/// What an emulated radio can be made to do wrong over Bluetooth, for a suite that has to notice.
package enum BluetoothFlaw: String, Hashable, Sendable, CaseIterable {
    /// Pairs without a passkey, and takes such a link for a proven one.
    case noPasskey
    /// Stays on a link whose pairing has failed.
    case staysAfterFailure
    /// Lets anybody read, write and subscribe.
    case open
    /// The same, and executes what they write.
    case executesUnproven
    /// Has another characteristic in the place of RX.
    case otherReceive
    /// RX can be written in the other way as well, or not in both.
    case otherReceiveProperties
    /// TX cannot be read where it should be, or can where it should not.
    case otherTransmitProperties
    /// Puts the header of a serial line in front of each frame.
    case serialHeader
    /// Takes the first 176 bytes of a longer value for a frame.
    case cutsLongValues
    /// Agrees to the longest MTU that there is.
    case longestMTU
    /// Cuts notifications as if no MTU had been agreed on.
    case ignoresMTU
    /// Is not found for five seconds after a connection.
    case advertisesLate
    /// Is found at once after a connection, also where its chip takes a second.
    case advertisesAtOnce
    /// What waited for a subscriber goes to the next one.
    case keepsFrames
    /// Advertises the node's name without what stands in front of it.
    case bareName
    /// Advertises a new name before the next start.
    case newNameAtOnce
}

extension BluetoothTraits {
    /// With what a flaw changes of them.
    func with(_ flaw: BluetoothFlaw?) -> BluetoothTraits {
        var traits = self
        switch flaw {
        case .otherReceiveProperties: traits.receiveProperties ^= 0x04
        case .otherTransmitProperties: traits.transmitProperties ^= 0x02
        case .longestMTU: traits.mtu = 517
        case .advertisesLate: traits.advertisingDelay = .seconds(5)
        case .advertisesAtOnce: traits.advertisingDelay = .zero
        default: break
        }
        return traits
    }
}
