import MeshFirmware
import MeshRadio
import MeshTime

/// The numbers by which frames meet on the air.
public struct AirModel: Hashable, Sendable {
    /// How much stronger one of two overlapping frames must be to survive, in 1/100 dB.
    ///
    /// 6 dB is what Semtech states for two frames of equal spreading factor.
    public var captureThresholdHundredths = 600
    /// Preamble symbols that pass before a listener's modem notices a frame.
    ///
    /// Two nodes that start within this time do not see each other, which is how frames collide in range.
    public var detectionSymbols = 4
    /// What a quiet receiver estimates as its noise floor, in dBm.
    public var noiseFloor: Int16 = -110

    public init() {}
}

extension LoRaParameters {
    /// Whether a receiver with these parameters locks on to a frame sent with `other`.
    ///
    /// The coding rate does not matter: the explicit header carries it.
    func hears(_ other: LoRaParameters) -> Bool {
        frequencyKilohertz == other.frequencyKilohertz && bandwidthHertz == other.bandwidthHertz
            && spreadingFactor == other.spreadingFactor
    }
}

/// A frame on the air.
struct Transmission: Sendable {
    let frame: UInt64
    let sender: NodeID
    let bytes: RadioFrame
}

/// A frame at one listener's antenna.
struct Reception: Sendable {
    let frame: UInt64
    let signal: Signal
    /// When the listener's modem notices it.
    let detected: Instant
    /// The listener's modem follows this frame; at most one at a time.
    var isLocked: Bool
    var loss: RxLoss?
}
