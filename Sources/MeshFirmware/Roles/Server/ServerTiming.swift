/// Delays in milliseconds that infrastructure nodes use. Source: InfrastructureNodes, "Delays".
enum ServerTiming {
    /// From boot to the first advert.
    static let bootAdvert: UInt32 = 16_000
    /// `SERVER_RESPONSE_DELAY`: answers to logins, requests and keep-alives.
    static let response: UInt32 = 300
    /// `TXT_ACK_DELAY`.
    static let textAck: UInt32 = 200
    /// From the first of two acknowledgements to the second.
    static let secondAck: UInt32 = 300
    /// Adverts on command: the answer goes first.
    static let commandedAdvert: UInt32 = 1500
    /// `LAZY_CONTACTS_WRITE_DELAY`: from the last reason to write the clients until they are written.
    static let clientsWrite: UInt32 = 5000
    /// From `tempradio` until the radio is set.
    static let temporaryRadio: UInt32 = 2000
    /// The time that `clkreboot` sets the clock to, in Unix seconds: 2024-05-15.
    static let clockAfterClockReboot: UInt32 = 1_715_770_351
}
