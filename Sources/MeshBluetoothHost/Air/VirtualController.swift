import MeshTime

/// The state of one controller of an air beside its connections.
struct VirtualController: Sendable {
    let description: ControllerDescription
    /// True when it neither receives nor sends anything.
    var isOff = false
    var randomAddress: BluetoothAddress?
    var advertising: Advertising?
    var parameters = HCI.AdvertisingParameters()
    var data: [UInt8] = []
    var scanResponse: [UInt8] = []
    var scanParameters = HCI.ScanParameters()
    /// The devices that it has reported since scanning was switched on, where each device is reported once.
    var heard: [BluetoothAddress]?
    var isScanning = false
    var initiating: HCI.CreateConnection?

    /// Events of advertising, as long as there is a listener.
    struct Advertising: Sendable {
        var address: BluetoothAddress
        /// The time of the next event; computed when the first listener begins.
        var next: Instant?
    }

    init(_ description: ControllerDescription) {
        self.description = description
    }

    /// Returns the address of this type: its own, or the random one that its host has set.
    func address(_ type: UInt8) -> BluetoothAddress? { type & 1 == 0 ? description.address : randomAddress }

    /// True when advertisements reach it.
    var isListening: Bool { isScanning || initiating != nil }
}
