public import MeshCrypto
import MeshRadio

/// The facts that `get` and `set` need beside the settings.
public struct PreferenceContext: Sendable {
    /// The role of the node, since some settings are for some roles only.
    public var role: ServerRole
    /// The board that the node was built for.
    public var board: BoardProfile
    /// The node's key pair.
    public var identity: LocalIdentity
    /// True when the command came over the serial console, and not by radio.
    public var isSerial: Bool
    /// True when a command started the node, and not the power.
    public var wasRestarted = false
    /// True when the node is powered from outside, which `get` reports.
    public var isExternallyPowered = false
    /// The battery's voltage at boot.
    public var bootMillivolts: UInt16
    /// The spreading factor the radio listens with, which may not be the one that is set.
    public var spreadingFactor: UInt8

    /// A node just switched on, on its battery and with the board's radio settings.
    public init(role: ServerRole, board: BoardProfile, identity: LocalIdentity, isSerial: Bool) {
        self.role = role
        self.board = board
        self.identity = identity
        self.isSerial = isSerial
        bootMillivolts = board.batteryMillivolts
        spreadingFactor = board.radio.spreadingFactor
    }

    /// Source: `getResetReasonString` of `ESP32Board` and `NRF52Board`.
    var resetReason: String {
        switch board.platform {
        case .esp32: wasRestarted ? "Software reset" : "Power-on reset"
        case .nrf52 where board.hasPowerManagement: wasRestarted ? "Soft Reset" : "Cold Boot"
        case .nrf52, .other: "Not available"
        }
    }

    /// Only some nRF52 boards remember why they were switched off; without such a reason they know none.
    var shutdownReason: String {
        board.platform == .nrf52 && board.hasPowerManagement ? "Unknown" : "Not available"
    }
}

/// An action of a node after a setting was changed, in this order.
public enum PreferenceEffect: Hashable, Sendable {
    /// Writes `/prefs.json`.
    case save
    /// Counts the interval of zero-hop adverts from now on, or stops them.
    case restartLocalAdverts
    /// The same for flooded ones.
    case restartFloodAdverts
    /// In dBm.
    case setTxPower(Int8)
    /// Switches the boosted gain of the receiver.
    case setBoostedGain(Bool)
    /// Switches the amplifier before the receiver.
    case setReceiveAmplifier(Bool)
    /// Switches the amplifier behind the transmitter.
    case setTransmitAmplifier(Bool)
    /// 0 for the board's own.
    case setADCMultiplier(Float)
    /// Writes the identity file; the node keeps its present identity until it restarts.
    case storeIdentity(LocalIdentity)
    /// Switches the bridge.
    case switchBridge(Bool)
    case restartBridge
    /// The spreading factors that the radio receives beside its own.
    case setSideDetectors([UInt8])
}
