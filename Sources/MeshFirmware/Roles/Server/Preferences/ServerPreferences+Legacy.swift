import MeshWire

// The binary file of older releases (InfrastructureNodes, "Files and preferences"; firmware,
// `CommonCLI::loadPrefsInt`).
extension ServerPreferences {
    /// Takes over what the file holds and puts most of it into its range; what a shorter file lacks keeps its value.
    ///
    /// The first fault is returned: a text without an end, which is cut, or a fraction that is no number.
    @discardableResult
    mutating func loadLegacy(_ content: [UInt8]) -> SettingsSyntaxError? {
        var bytes = LegacyBytes(content)
        walk(&bytes)
        clampLegacy()
        return bytes.fault
    }

    private mutating func walk(_ bytes: inout LegacyBytes) {
        bytes.take("radio.af", &airtimeFactor)
        bytes.take("name", &name, size: 32)
        bytes.skip(4)
        bytes.take("lat", &latitude)
        bytes.take("lon", &longitude)
        bytes.take("pass", &password, size: 16)
        bytes.take("radio.freq", &frequency)
        bytes.take(&txPower)
        bytes.take(&forwardingDisabled)
        bytes.take(&advertInterval)
        bytes.skip(1)
        bytes.take("radio.rxdelay", &receiveDelayBase)
        bytes.take("radio.f_txdelay", &floodDelayFactor)
        bytes.take("guest", &guestPassword, size: 16)
        bytes.take("radio.d_txdelay", &directDelayFactor)
        bytes.skip(4)
        bytes.take(&spreadingFactor)
        bytes.take(&codingRate)
        bytes.take(&allowsReadOnly)
        bytes.take(&extraAcks)
        bytes.take("radio.bw", &bandwidth)
        bytes.take(&agcResetInterval)
        bytes.take(&pathHashMode)
        bytes.take(&loopDetect)
        bytes.skip(1)
        bytes.take(&floodMax)
        bytes.take(&floodAdvertInterval)
        bytes.take(&interferenceThreshold)
        bytes.take(&bridgeEnabled)
        bytes.take(&bridgeDelay)
        bytes.take(&bridgeSource)
        bytes.take(&bridgeBaud)
        bytes.take(&bridgeChannel)
        bytes.take("bridge.secret", &bridgeSecret, size: 16)
        bytes.take(&powerSaving)
        bytes.skip(3)
        bytes.take(&gpsEnabled)
        bytes.take(&gpsInterval)
        bytes.take(&advertLocationPolicy)
        bytes.take(&discoveryModified)
        bytes.take("power.adc_mult", &adcMultiplier)
        bytes.take("owner", &ownerInfo, size: 120)
        bytes.take(&boostedGain)
        bytes.take(&floodMaxUnscoped)
        bytes.take(&floodMaxAdvert)
        bytes.take(&femReceiveGain)
        bytes.take(&cadEnabled)
    }

    private mutating func clampLegacy() {
        receiveDelayBase.clamp(to: 0...20)
        floodDelayFactor.clamp(to: 0...2)
        directDelayFactor.clamp(to: 0...2)
        airtimeFactor.clamp(to: 0...9)
        frequency.clamp(to: 150...2500)
        bandwidth.clamp(to: 7.8...500)
        spreadingFactor.clamp(to: 5...12)
        codingRate.clamp(to: 5...8)
        txPower.clamp(to: -9...30)
        extraAcks.clamp(to: 0...1)
        adcMultiplier.clamp(to: 0...10)
        pathHashMode.clamp(to: 0...2)
        bridgeEnabled.clamp(to: 0...1)
        bridgeDelay.clamp(to: 0...10_000)
        bridgeSource.clamp(to: 0...1)
        bridgeBaud.clamp(to: 9600...115_200)
        bridgeChannel.clamp(to: 0...14)
        powerSaving.clamp(to: 0...1)
        gpsEnabled.clamp(to: 0...1)
        advertLocationPolicy.clamp(to: 0...2)
        boostedGain.clamp(to: 0...1)
        femReceiveGain.clamp(to: 0...1)
        femTransmitGain.clamp(to: 0...1)
        cadEnabled.clamp(to: 0...1)
    }
}

extension Comparable {
    /// Moves to the nearest end of the range; what compares with neither end stays.
    fileprivate mutating func clamp(to range: ClosedRange<Self>) {
        if self < range.lowerBound { self = range.lowerBound }
        if self > range.upperBound { self = range.upperBound }
    }
}

/// Lays the bytes of a file over values, one after the other; a file that ends within a value changes its first bytes.
private struct LegacyBytes {
    private var rest: ArraySlice<UInt8>
    private(set) var fault: SettingsSyntaxError?

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    mutating func take<Value: FixedWidthInteger>(_ value: inout Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            guard let byte = rest.popFirst() else { return }
            let mask = Value(truncatingIfNeeded: UInt8.max) << shift
            value = value & ~mask | Value(truncatingIfNeeded: byte) << shift
        }
    }

    mutating func take(_ key: String, _ value: inout Float) {
        let start = rest.startIndex
        var pattern = value.bitPattern
        take(&pattern)
        value = Float(bitPattern: pattern)
        if !value.isFinite { note(key, start, "no number") }
    }

    mutating func take(_ key: String, _ value: inout Double) {
        let start = rest.startIndex
        var pattern = value.bitPattern
        take(&pattern)
        value = Double(bitPattern: pattern)
        if !value.isFinite { note(key, start, "no number") }
    }

    /// A text with its NUL in a field of so many bytes.
    mutating func take(_ key: String, _ value: inout ByteText, size: Int) {
        let new = rest.prefix(size)
        if new.count == size, !new.contains(0) { note(key, new.startIndex, "a text of \(size) bytes without an end") }
        value = ByteText(bytes: [UInt8](new) + value.bytes.dropFirst(new.count)).untilNUL.prefix(size - 1)
        rest = rest.dropFirst(size)
    }

    private mutating func note(_ key: String, _ offset: Int, _ reason: String) {
        fault = fault ?? SettingsSyntaxError(offset: offset, key: key, reason: reason)
    }
}
