import MeshCompanion

/// USB or a UART: always connected, never busy, frames written at once.
///
/// There is no out-queue: the radio's bytes go to the driver, whether it is read or not. Source:
/// CompanionStatements, CMP-001 to CMP-009; firmware, `ArduinoSerialInterface`.
public struct SerialInterface: Sendable {
    private var receiver: SerialReceiver
    var isEnabled = true
    /// True when bytes may be waiting that no pass has looked at.
    private(set) var hasWork = false

    /// `inputCapacity` is the driver's buffer; what overflows it is lost.
    public init(inputCapacity: Int = 4096) {
        receiver = SerialReceiver(capacity: inputCapacity)
    }

    var window: Int { receiver.room }
    /// The longest frame that the radio accepts, in bytes.
    var frameLimit: Int {
        get { receiver.frameLimit }
        set { receiver.frameLimit = newValue }
    }

    mutating func receive(_ bytes: [UInt8]) {
        guard isEnabled else { return }
        _ = receiver.append(bytes)
        hasWork = true
    }

    /// Reads up to the end of one frame.
    mutating func poll() -> [UInt8]? {
        guard isEnabled, hasWork, let frame = receiver.nextFrame() else {
            hasWork = false
            return nil
        }
        return frame
    }
}
