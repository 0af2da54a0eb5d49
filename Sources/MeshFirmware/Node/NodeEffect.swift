public import MeshRadio

/// An action that a node requests.
public enum NodeEffect: Sendable {
    /// The radio starts to transmit now; `transmitDone` ends it.
    case transmit(RadioFrame)
    /// The radio works with these parameters from now on.
    case tune(LoRaParameters)
    /// The radio transmits with this power from now on, in dBm.
    case setTxPower(Int8)
    /// Bytes for the client, framed as its transport frames them, one write each.
    case appBytes([UInt8])
    /// Bytes for the other end of the bridge between two repeaters: one write to a serial line, or one frame of
    /// ESP-NOW.
    ///
    /// `tuning` is the speed of the line in bits a second, or the Wi-Fi channel.
    case bridge([UInt8], tuning: UInt32)
    /// The client's link is to be shut: disabled interface (factory reset), reboot.
    case appClosed
    /// The client that was there is hung up on, because a newer one has connected.
    case appReplaced
    /// One of these three, for the client at a further interface of a radio that has several. Numbers begin with 1.
    indirect case atInterface(UInt8, NodeEffect)
    /// A file in flash has changed; already durable for the node, the shell may mirror it.
    case flash(FlashChange)
    /// The node switches itself off; only a person at the board brings it back.
    case powerOff
    /// The node restarts now: the shell boots a new core from the same flash.
    case reboot
    /// Something worth tracing.
    case trace(NodeEvent)
}

extension NodeEffect {
    /// The same for the client at an interface; that of number 0 is meant without a number.
    func at(_ interface: Int) -> NodeEffect {
        interface == 0 ? self : .atInterface(UInt8(clamping: interface), self)
    }
}

/// A change to a file of the node.
public enum FlashChange: Hashable, Sendable {
    /// The file holds these bytes now.
    case wrote(path: String, bytes: [UInt8])
    /// The file is gone.
    case removed(path: String)
    case formatted
}

/// An event that a node reports for traces and invariant checks. Names are the field's own.
public enum NodeEvent: Hashable, Sendable {
    /// A packet was received and dropped, with the reason.
    case rxDrop(DropReason)
    /// A frame was queued for forwarding, with its delay in milliseconds.
    case forwarded(hops: UInt8, delayMilliseconds: UInt32)
    /// A payload was decrypted and given to the application.
    case delivered(payloadType: UInt8)
    /// A text was for this node, which acknowledges it with this value.
    case acknowledging(UInt32)
    /// An acknowledgement matched a message of this node.
    case acked(UInt32)
}

/// The reason for which a received frame was dropped.
public enum DropReason: UInt8, Hashable, Sendable, CaseIterable {
    case malformed
    case alreadySeen
    case poolEmpty
    case notNextHop
    case notForUs
    case forwardingDenied
    case pathFull
    case ownAdvert
    case badSignature
    case tooShort
    case ignoredType
    case queueFull
    /// The node was sending: its radio receives nothing then.
    case transmitting
}
