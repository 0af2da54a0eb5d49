import MeshWire

// The binary file of older releases (InfrastructureNodes, "Files and preferences"; firmware,
// `CommonCLI::loadPrefsInt`).
extension ServerPreferences {
    /// Reads the settings from the file, most of them cut to their ranges; those that a shorter file lacks keep
    /// their values.
    ///
    /// The first fault is returned: a text without an end, which is cut, or a fraction that is no number.
    @discardableResult
    mutating func loadLegacy(_ content: [UInt8]) -> SettingsSyntaxError? {
        var bytes = BinarySettingsReader(content)
        walk(&bytes)
        clampLegacy()
        return bytes.fault
    }

    /// Returns the file of a version that writes this number of bytes.
    func legacyContent(size: Int) -> [UInt8] {
        var (settings, bytes) = (self, BinarySettingsWriter())
        settings.walk(&bytes)
        var content = [UInt8](bytes.bytes.prefix(size))
        if size == Self.shortestLegacy { content[Self.firstGainOffset] = boostedGain }
        return content
    }

    /// The file of 1.14.1, which has the receive boost in another place: a value set there is lost on an upgrade
    /// (FWV-050).
    static let shortestLegacy = 290
    static let firstGainOffset = 79

    private mutating func walk(_ bytes: inout some BinarySettingsPass) {
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
