import MeshCompanion
package import MeshCore

/// The length check that every transport makes before it accepts a frame.
package enum FrameLimit {
    package static func check(_ frame: [UInt8]) throws(MeshTransportError) {
        guard (1...CompanionLimits.frame).contains(frame.count) else {
            throw .sendFailed("a frame of \(frame.count) bytes; 1 to \(CompanionLimits.frame) are possible")
        }
    }
}
