import MeshRadio
import MeshTime

extension BoardProfile {
    /// A number of a board with which no radio can be built.
    public struct OutOfBounds: Error, Hashable, Sendable, CustomStringConvertible {
        /// As the board's JSON has it: `maxChannels`, `radio.bandwidthHertz`.
        public let field: String
        /// The value that was given for the field.
        public let value: String
        /// The range that is allowed, in words.
        public let bounds: String

        public var description: String { "board: \(field) is \(value), and must be \(bounds)" }
    }

    /// Throws for the first number that is out of its bounds. Every board from outside is checked in this way
    /// before a radio is made of it. A board within the bounds costs bounded memory and lets time pass.
    ///
    /// Bounds are the firmware's where it has some, and otherwise far above any board that there is.
    public func check() throws(OutOfBounds) {
        // The firmware's tables are static: DEVICE_INFO tells no more than 510 contacts, a channel's slot is one byte.
        try Self.check("maxContacts", maxContacts, 0...65_535)
        try Self.check("maxChannels", maxChannels, 1...255)
        // What `bench` has.
        try Self.check("offlineQueueSize", offlineQueueSize, 0...1_000_000)
        try Self.check("packetPoolSize", packetPoolSize, 1...64)
        try Self.check("sendQueueSize", sendQueueSize, 1...255)
        try Self.check("maxTxPower", maxTxPower, -17...40)
        try Self.check("txPower", txPower, -17...40)
        try Self.check("blePin", blePin, 0...999_999)
        try Self.check("batteryMillivolts", batteryMillivolts, 0...65_535)
        try Self.check("maxStoredAdvert", maxStoredAdvert, 0...255)
        try Self.check("clockAtPowerOn", clockAtPowerOn, 0...UInt32.max)
        // 64 MiB: no board has more flash on its chip.
        try Self.check("storageKiB", storageKiB, 0...65_536)
        try Self.check("storageOverheadKiB", storageOverheadKiB, 0...65_536)
        try Self.check("bootDelay.microseconds", bootDelay.microseconds, 0...60_000_000)
        // A pass of the main loop that takes no time would never let the next event come.
        try Self.check("loopPeriod.microseconds", loopPeriod.microseconds, 1...1_000_000)
        try Self.check("allowedRepeatFrequencies.count", allowedRepeatFrequencies.count, 0...64)
        try checkRadio()
        try checkOptions()
    }

    private func checkRadio() throws(OutOfBounds) {
        try Self.check("radio.frequencyKilohertz", radio.frequencyKilohertz, LoRaParameters.frequencyRange)
        try Self.check("radio.bandwidthHertz", radio.bandwidthHertz, LoRaParameters.bandwidthRange)
        try Self.check("radio.spreadingFactor", radio.spreadingFactor, LoRaParameters.spreadingFactorRange)
        try Self.check("radio.codingRate", radio.codingRate, LoRaParameters.codingRateRange)
        if let preambleSymbols { try Self.check("preambleSymbols", preambleSymbols, 1...1024) }
    }

    private func checkOptions() throws(OutOfBounds) {
        // -100 to 150 degrees.
        if let mcuTemperatureTenths { try Self.check("mcuTemperatureTenths", mcuTemperatureTenths, -1000...1500) }
        if let adcMultiplier, !(0...1000 ~= adcMultiplier) {
            throw OutOfBounds(field: "adcMultiplier", value: "\(adcMultiplier)", bounds: "0 to 1000")
        }
    }

    private static func check<Number: BinaryInteger & Sendable>(
        _ field: String, _ value: Number, _ bounds: ClosedRange<Number>
    ) throws(OutOfBounds) {
        guard !bounds.contains(value) else { return }
        throw OutOfBounds(
            field: field, value: "\(value)", bounds: "\(bounds.lowerBound) to \(bounds.upperBound)")
    }
}
