public import MeshRadio
public import MeshWire

// What scenarios and shells may look at, and how they play the world.
extension CompanionRadio {
    /// The board that the node was built for.
    public var board: BoardProfile { core.board }
    /// The node's name, at most 31 bytes.
    public var name: ByteText { preferences.name }
    /// The PIN for Bluetooth: the stored one, else the one drawn at this start, else the one of the build.
    ///
    /// A PIN that is set is valid from the next start on.
    public var activePIN: UInt32 { preferences.blePin == 0 ? drawnPIN ?? core.board.blePin : preferences.blePin }
    /// The parameters that the radio works with.
    public var radioParameters: LoRaParameters { core.parameters }
    /// Packets of the pool that are free.
    public var freePackets: Int { core.pool.freeCount }
    /// True when the radio assumes that the app is connected.
    public var isConnected: Bool { interface.isConnected }
    /// Bytes of the app that are accepted before any are lost; a shell reads no more than that from its socket.
    public var appWindow: Int { interface.window }

    /// A single reading of the GPS, for one whose `environment.gps` has no way; ignored unless it is switched on.
    ///
    /// Position in microdegrees, altitude in millimetres. A time sets the clock.
    public mutating func gpsFix(
        latitude: Int32, longitude: Int32, altitudeMillimetres: Int32 = 0, unixSeconds: UInt32? = nil
    ) {
        guard environment.isGPSActive else { return }
        environment.setPosition(
            GPSPosition(microdegreesNorth: latitude, east: longitude, millimetres: altitudeMillimetres), at: core.now)
        if let unixSeconds { core.setUnixTime(unixSeconds) }
    }
}
