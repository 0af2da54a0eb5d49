import MeshCompanion
import MeshWire

/// Radio parameters as commands have them: `869.525,250,11,5`.
///
/// Source: InfrastructureNodes, "Commands"; firmware, `set radio` and `tempradio`.
struct RadioText: Hashable, Sendable {
    /// In MHz.
    let frequency: Float
    /// In kHz.
    let bandwidth: Float
    let spreadingFactor: UInt8
    let codingRate: UInt8

    init(frequency: Float, bandwidth: Float, spreadingFactor: UInt8, codingRate: UInt8) {
        self.frequency = frequency
        self.bandwidth = bandwidth
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
    }

    /// Reads four parts; missing ones count as 0, and further ones are ignored.
    init(_ parts: [ArraySlice<UInt8>]) {
        let parts = parts + Array(repeating: [], count: 4)
        frequency = NumberReading.float(parts[0])
        bandwidth = NumberReading.float(parts[1])
        spreadingFactor = UInt8(truncatingIfNeeded: NumberReading.integer(parts[2]))
        codingRate = UInt8(truncatingIfNeeded: NumberReading.integer(parts[3]))
    }

    /// Returns whether the command line accepts the parameters; a radio may support fewer bandwidths.
    func isAccepted(by switches: FirmwareSwitches) -> Bool {
        Float(switches.lowestFrequency) / 1000...2500 ~= frequency && 7...500 ~= bandwidth && 5...12 ~= spreadingFactor
            && 5...8 ~= codingRate
    }
}
