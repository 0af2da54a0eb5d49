extension BluetoothFault {
    /// A difference between the radio's build and that of the firmware, which lasts.
    public enum Design: String, Hashable, Sendable, CaseIterable {
        /// Pairs without a passkey, and accepts such a link as proven.
        case noPasskey = "no-passkey"
        /// Stays on a link after a failed pairing.
        case staysAfterFailure = "stays-after-failure"
        /// Lets every central read, write and subscribe.
        case open = "open-service"
        /// The same, and executes the written commands.
        case executesUnproven = "executes-unproven"
        /// Has another characteristic in the place of RX.
        case otherReceive = "other-rx"
        /// RX can be written in the other way as well, or not in both.
        case otherReceiveProperties = "other-rx-properties"
        /// TX cannot be read where it should be, or can where it should not.
        case otherTransmitProperties = "other-tx-properties"
        /// Puts the header of a serial line in front of each frame.
        case serialHeader = "serial-header"
        /// Cuts a longer value to 176 bytes and accepts that as a frame.
        case cutsLongValues = "cuts-long-values"
        /// Agrees to the longest MTU that there is.
        case longestMTU = "longest-mtu"
        /// Cuts notifications as if no MTU had been agreed on.
        case ignoresMTU = "ignores-mtu"
        /// Is not found for five seconds after a connection.
        case advertisesLate = "advertises-late"
        /// Advertises at once after a connection, also where its chip needs a second.
        case advertisesAtOnce = "advertises-at-once"
        /// Sends frames that waited for one subscriber to the next one.
        case keepsFrames = "keeps-frames"
        /// Advertises the node's name without its prefix.
        case bareName = "bare-name"

        /// True when a kernel that keeps the controller decides on it.
        var needsController: Bool {
            switch self {
            case .noPasskey, .staysAfterFailure: true
            default: false
            }
        }
    }
}
