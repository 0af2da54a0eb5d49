/// The parameters with which a radio sends and receives, as it stores them.
public struct RadioParameters: Hashable, Sendable {
    /// Frequency, in kHz.
    public var frequencyKHz: UInt32
    /// Bandwidth, in Hz.
    public var bandwidthHz: UInt32
    /// Spreading factor.
    public var spreadingFactor: UInt8
    /// The denominator: 5 is 4/5.
    public var codingRate: UInt8

    public init(frequencyKHz: UInt32, bandwidthHz: UInt32, spreadingFactor: UInt8, codingRate: UInt8) {
        self.frequencyKHz = frequencyKHz
        self.bandwidthHz = bandwidthHz
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
    }

    /// Makes parameters in the units of people.
    ///
    /// A number that is not positive, or too large, becomes 0, which no range holds.
    public init(megahertz: Double, kilohertz: Double, spreadingFactor: UInt8, codingRate: UInt8) {
        self.init(
            frequencyKHz: Self.thousands(megahertz), bandwidthHz: Self.thousands(kilohertz),
            spreadingFactor: spreadingFactor, codingRate: codingRate)
    }

    /// Frequency, in MHz.
    public var megahertz: Double { Double(frequencyKHz) / 1000 }
    /// Bandwidth, in kHz.
    public var kilohertz: Double { Double(bandwidthHz) / 1000 }

    private static func thousands(_ value: Double) -> UInt32 { UInt32(exactly: (value * 1000).rounded()) ?? 0 }
}

/// The values that may be entered for a radio.
public struct RadioRanges: Hashable, Sendable {
    /// The frequencies that may be entered, in kHz.
    public var frequencyKHz: ClosedRange<UInt32>
    /// The distance of frequencies, counted from the lowest.
    public var frequencyStepKHz: UInt32
    /// `nil`: any of `bandwidthHz`.
    public var bandwidthsHz: [UInt32]?
    /// The spreading factors that the firmware accepts.
    public var spreadingFactor: ClosedRange<UInt8>
    /// The coding rates that the firmware accepts.
    public var codingRate: ClosedRange<UInt8>
    /// The powers that may be entered, in dBm.
    public var power: ClosedRange<Int8>

    /// The bandwidths that the firmware accepts, in Hz.
    public static let bandwidthHz: ClosedRange<UInt32> = 7_000...500_000

    /// Returns the ranges that the firmware accepts on a radio with this greatest power.
    public static func firmware(maxPower: UInt8) -> RadioRanges {
        RadioRanges(
            frequencyKHz: 150_000...2_500_000, frequencyStepKHz: 1, bandwidthsHz: nil, spreadingFactor: 5...12,
            codingRate: 5...8, power: -9...max(-9, Int8(clamping: maxPower)))
    }

    /// The form of the product requirements, for the band of the United States.
    public static let us = RadioRanges(
        frequencyKHz: 902_000...928_000, frequencyStepKHz: 125, bandwidthsHz: [125_000, 250_000, 500_000],
        spreadingFactor: 7...12, codingRate: 5...8, power: 2...20)

    /// Throws `outOfRange` with the first field that does not fit.
    ///
    /// The parameters of a preset in the band fit as they are: that of the United States is between the form's steps.
    ///
    /// - Parameter current: the parameters that the radio has; a field that stays as it is there is not checked.
    public func check(_ parameters: RadioParameters, changing current: RadioParameters? = nil) throws(StackError) {
        func check<V: Equatable>(
            _ name: String, _ field: KeyPath<RadioParameters, V>, _ isInRange: (V) -> Bool
        ) throws(StackError) {
            let value = parameters[keyPath: field]
            guard value == current?[keyPath: field] || isInRange(value) else {
                throw StackError(.settings, .outOfRange(field: name))
            }
        }
        let isPreset = RadioPreset.all.contains { $0.parameters == parameters }
        guard !(isPreset && frequencyKHz.contains(parameters.frequencyKHz)) else { return }
        try check("frequency", \.frequencyKHz) {
            frequencyKHz.contains($0) && ($0 - frequencyKHz.lowerBound).isMultiple(of: frequencyStepKHz)
        }
        try check("bandwidth", \.bandwidthHz) { bandwidthsHz?.contains($0) ?? Self.bandwidthHz.contains($0) }
        try check("spreadingFactor", \.spreadingFactor, spreadingFactor.contains)
        try check("codingRate", \.codingRate, codingRate.contains)
    }

    /// Throws `outOfRange` for a power, in dBm, that does not fit.
    public func check(power: Int8) throws(StackError) {
        guard self.power.contains(power) else { throw StackError(.settings, .outOfRange(field: "power")) }
    }
}
