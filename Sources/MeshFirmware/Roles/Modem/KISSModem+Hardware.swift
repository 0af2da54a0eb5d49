import MeshCompanion
import MeshCrypto
import MeshRadio
import MeshTime
import MeshWire

// The commands of the modem itself. What is too short is refused, what is too long is read as far as it is known.
// Source: firmware 1.17.1, `KissModem::handleHardwareCommand`.
extension KISSModem {
    /// `KISS_FIRMWARE_VERSION`
    static let version: UInt8 = 1
    /// The longest answer to `getRandom`.
    static let mostRandom = 64

    mutating func perform(_ command: ModemCommand, _ data: [UInt8]) {
        guard data.count >= command.leastData else { return refuse(.invalidLength) }
        switch command {
        case .getIdentity: answer(command, identity.publicKey.array)
        case .getRandom: answerRandom(count: Int(data[0]))
        case .verifySignature, .signData, .encryptData, .decryptData, .keyExchange, .hash: encipher(command, data)
        case .setRadio: setRadio(data)
        case .setTxPower: setTxPower(data[0])
        case .getRadio: answer(command, radioSettings.written())
        case .getTxPower: answer(command, [txPower])
        case .getAirtime: answer(command, Self.bytes(airtime.milliseconds(bytes: Int(data[0]))))
        case .getVersion: answer(command, [Self.version, 0])
        case .getStats: answer(command, statistics.written())
        case .getDeviceName: answer(command, [UInt8](board.model.utf8))
        case .ping: answer(command)
        case .reboot:
            answer(.ok)
            restarts = true
        case .setSignalReport:
            reportsSignal = data[0] != 0
            answer(.getSignalReport, [reportsSignal ? 1 : 0])
        case .getSignalReport: answer(command, [reportsSignal ? 1 : 0])
        case .getCurrentRSSI, .isChannelBusy, .getNoiseFloor, .getBattery, .getMCUTemp, .getSensors:
            measure(command, data)
        }
    }

    // MARK: Measuring

    private mutating func measure(_ command: ModemCommand, _ data: [UInt8]) {
        switch command {
        case .getCurrentRSSI:
            // Of the frame that is followed; of a quiet channel it is the noise.
            let strength = radioStatus.reception?.rssiByte ?? Int8(truncatingIfNeeded: radioStatus.noiseFloor)
            answer(command, [UInt8(bitPattern: strength)])
        case .isChannelBusy: answer(command, [ReceptionDriver(board).sees(radioStatus) ? 1 : 0])
        case .getNoiseFloor: answer(command, Self.bytes(radioStatus.noiseFloor))
        case .getBattery: answer(command, Self.bytes(environment.batteryMillivolts(at: now)))
        case .getMCUTemp:
            guard let degrees = environment.processorDegrees(at: now), !degrees.isNaN else {
                return refuse(.noCallback)
            }
            answer(command, Self.bytes(Int16(wholePart: degrees * 10)))
        default:
            // The battery is no sensor: the bit for it changes nothing.
            answer(command, environment.sensorTelemetry(mask: TelemetryMask(rawValue: data.first ?? 0), at: now))
        }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }

    private mutating func answerRandom(count: Int) {
        guard 1...Self.mostRandom ~= count else { return refuse(.invalidParam) }
        answer(.getRandom, (0..<count).map { _ in random.nextByte() })
    }

    // MARK: Radio

    /// Answers OK whatever the chip accepts: a refused value stays as it was, and is reported as set.
    private mutating func setRadio(_ data: [UInt8]) {
        guard let wanted = data.withUnsafeBytes({ try? ModemRadio(reading: $0) }) else { return }
        radioSettings = wanted
        let applied = board.chip.applying(
            frequencyKilohertz: (wanted.frequency / 500 + 1) / 2, bandwidthHertz: wanted.bandwidth,
            spreadingFactor: wanted.spreadingFactor, codingRate: wanted.codingRate, to: airtime.parameters)
        if applied != airtime.parameters {
            airtime = board.airtime(applied)
            effects.append(.tune(applied))
        }
        answer(.ok)
    }

    private mutating func setTxPower(_ power: UInt8) {
        txPower = power
        let power = Int8(bitPattern: power)
        if board.chip.supports(txPower: power) { effects.append(.setTxPower(power)) }
        answer(.ok)
    }

    // MARK: Cryptography

    private mutating func encipher(_ command: ModemCommand, _ data: [UInt8]) {
        let key = FixedBytes<32>(data.prefix(32))
        let rest = [UInt8](data.dropFirst(32))
        switch command {
        case .verifySignature:
            let isGood = Ed25519.verify(Signature(rest.prefix(64)), of: [UInt8](rest.dropFirst(64)), by: key)
            answer(command, [isGood ? 1 : 0])
        case .signData: answer(command, identity.sign(data).array)
        case .encryptData: answer(command, Sealing.seal(rest, secret: key))
        case .decryptData:
            // Of a block that is not whole the firmware would decipher what lies behind it in memory.
            guard let plaintext = Sealing.open(rest, secret: key) else { return refuse(.macFailed) }
            answer(command, plaintext)
        case .keyExchange: answer(command, identity.sharedSecret(with: key).array)
        default: answer(command, SHA256.hash(data).array)
        }
    }
}

extension ModemCommand {
    /// Bytes behind the code without which it is refused.
    fileprivate var leastData: Int {
        switch self {
        case .verifySignature: 32 + 64 + 1
        case .encryptData: 32 + 1
        case .decryptData: 32 + Sealing.macSize + 1
        case .keyExchange: 32
        case .setRadio: ModemRadio.size
        case .getRandom, .signData, .hash, .setTxPower, .getAirtime, .getSensors, .setSignalReport: 1
        case .getIdentity, .getRadio, .getTxPower, .getCurrentRSSI, .isChannelBusy, .getNoiseFloor, .getVersion,
            .getStats, .getBattery, .getMCUTemp, .getDeviceName, .ping, .reboot, .getSignalReport:
            0
        }
    }
}
