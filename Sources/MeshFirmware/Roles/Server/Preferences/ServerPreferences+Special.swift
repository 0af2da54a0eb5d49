import MeshCompanion
import MeshCrypto
import MeshWire

// Settings that are like no other (InfrastructureNodes, "Settings by command").
extension ServerPreferences {
    mutating func set(_ special: SpecialPreference, _ value: [UInt8], _ context: PreferenceContext) -> SetOutcome {
        switch special {
        case .dutyCycle: setDutyCycle(Float(NumberReading.double(value)))
        case .radio: setRadio(value, context)
        case .privateKey: setPrivateKey(value)
        case .adcMultiplier: setADCMultiplier(Float(NumberReading.double(value)), context.board)
        case .extraSpreadingFactors: setExtraSpreadingFactors(value, context)
        case .publicKey, .role, .bridgeType, .bootLoader, .powerSupport, .powerSource, .bootReason, .bootVoltage:
            preconditionFailure("a fact cannot be set")
        }
    }

    private mutating func setDutyCycle(_ percent: Float) -> SetOutcome {
        // What is no number is neither too small nor too large.
        if percent < 1 || percent > 100 { return .refused("ERROR: dutycycle must be 1-100") }
        airtimeFactor = 100 / percent - 1
        prepareToSave()
        return .done("OK - " + NumberWriting.dutyCycle(airtimeFactor: airtimeFactor), [.save])
    }

    /// Alone among all commands that save, it leaves the adverts of a fresh node as they are.
    private mutating func setRadio(_ value: [UInt8], _ context: PreferenceContext) -> SetOutcome {
        let radio = RadioText(CommandParts.split(value, most: 4))
        guard radio.isAccepted(by: context.board.firmware.switches) else {
            return .refused("Error, invalid radio params")
        }
        frequency = radio.frequency
        bandwidth = radio.bandwidth
        spreadingFactor = radio.spreadingFactor
        codingRate = radio.codingRate
        return .done("OK - reboot to apply", [.save])
    }

    /// Nothing of it is among the settings; the node stays who it is until it restarts.
    private func setPrivateKey(_ value: [UInt8]) -> SetOutcome {
        guard let bytes = NumberReading.hex(value, count: 64) else { return .refused("Error, bad key") }
        let key = ExpandedPrivateKey(bytes)
        guard LocalIdentity.isUsable(key) else { return .refused("Error, bad key") }
        let identity = LocalIdentity(privateKey: key)
        return .done(
            "OK, reboot to apply! New pubkey: " + identity.publicKey.hex.uppercased(), [.storeIdentity(identity)])
    }

    private mutating func setADCMultiplier(_ multiplier: Float, _ board: BoardProfile) -> SetOutcome {
        guard board.adcMultiplier != nil else {
            adcMultiplier = 0
            return .refused(BoardAbility.adcMultiplier.refusal(of: board.firmware.switches))
        }
        adcMultiplier = multiplier
        prepareToSave()
        let reply =
            multiplier == 0
            ? "OK - using default board multiplier" : "OK - multiplier set to " + Double(multiplier).fixed(3)
        return .done(reply, [.save, .setADCMultiplier(multiplier)])
    }

    /// Sets the further spreading factors of an LR2021: up to three above its own, but only one from 10 on.
    ///
    /// Source: `CustomLR2021Wrapper::configSideDetectors`.
    private mutating func setExtraSpreadingFactors(_ value: [UInt8], _ context: PreferenceContext) -> SetOutcome {
        let own = Int(context.spreadingFactor)
        let factors = CommandParts.split(value, most: 4).map { UInt8(truncatingIfNeeded: NumberReading.integer($0)) }
        guard context.role == .repeater, factors.count <= 3, own < 10 || factors.count <= 1,
            factors.allSatisfy({ 5...12 ~= $0 && own + 1...own + 4 ~= Int($0) })
        else { return .refused("Invalid extra SF config") }
        extraSpreadingFactors = factors
        prepareToSave()
        return .done("OK - extra SFs set", [.save, .setSideDetectors(factors)])
    }
}

extension SpecialPreference {
    var isSettable: Bool {
        switch self {
        case .dutyCycle, .radio, .privateKey, .adcMultiplier, .extraSpreadingFactors: true
        case .publicKey, .role, .bridgeType, .bootLoader, .powerSupport, .powerSource, .bootReason, .bootVoltage: false
        }
    }
}
