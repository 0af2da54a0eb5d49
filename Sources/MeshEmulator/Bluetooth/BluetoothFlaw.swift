import MeshFirmware
import MeshTime

/// A fault that an emulated radio can be given over Bluetooth, for a suite that has to find it.
package enum BluetoothFlaw: String, Hashable, Sendable, CaseIterable {
    /// Pairs without a passkey, and accepts such a link as proven.
    case noPasskey
    /// Stays on a link after a failed pairing.
    case staysAfterFailure
    /// Lets every central read, write and subscribe.
    case open
    /// The same, and executes the written commands.
    case executesUnproven
    /// Has another characteristic in the place of RX.
    case otherReceive
    /// RX can be written in the other way as well, or not in both.
    case otherReceiveProperties
    /// TX cannot be read where it should be, or can where it should not.
    case otherTransmitProperties
    /// Puts the header of a serial line in front of each frame.
    case serialHeader
    /// Cuts a longer value to 176 bytes and accepts that as a frame.
    case cutsLongValues
    /// Agrees to the longest MTU that there is.
    case longestMTU
    /// Cuts notifications as if no MTU had been agreed on.
    case ignoresMTU
    /// Is not found for five seconds after a connection.
    case advertisesLate
    /// Advertises at once after a connection, also where its chip needs a second.
    case advertisesAtOnce
    /// Sends frames that waited for one subscriber to the next one.
    case keepsFrames
    /// Advertises the node's name without its prefix.
    case bareName
    /// Advertises a new name before the next start.
    case newNameAtOnce
}

extension BluetoothTraits {
    /// The traits with the changes of a flaw.
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
