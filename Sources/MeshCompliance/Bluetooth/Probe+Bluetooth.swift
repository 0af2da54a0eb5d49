import MeshBluetoothHost
import MeshReports
import MeshTime
import MeshWire

// What statements do with the radio over Bluetooth, and what they see of it.
extension Probe {
    /// The suite as the radio's central.
    func central() throws -> TestCentral { try target.central() }

    /// The radio as it advertises.
    @discardableResult
    func found(within span: TimeSpan = TestCentral.patience) throws -> BluetoothHost.Advertiser {
        beginStep("scan")
        guard let radio = try central().find(within: span) else {
            throw failure(
                expected: "an advertisement of the Nordic UART service", got: "none in \(span.milliseconds) ms")
        }
        return radio
    }

    /// Connects to the radio as it is found.
    func connectCentral() throws {
        let address = try found().address
        beginStep("connect")
        try require(try central().connect(to: address), "a Bluetooth connection", got: "none")
    }

    /// Connects, and looks what the radio has; it is not paired.
    func discovered() throws -> TestCentral.Service {
        try connectCentral()
        beginStep("MTU and services")
        try central().exchangeMTU()
        guard let service = try central().discover() else {
            throw failure(
                expected: "RX 6E400002 and TX 6E400003 in the service 6E400001", got: "not both of them")
        }
        return service
    }

    /// Pairs with the radio's PIN, or with the keys of the last pairing.
    func pairCentral() throws {
        beginStep("pair")
        let central = try central()
        let pairing = try central.pair(passkey: central.radio.passkey)
        guard case .secured(let level) = pairing, level >= .authenticated else {
            throw failure(expected: "a link that the PIN protects", got: "\(pairing)")
        }
    }

    /// Has the radio notify.
    func subscribeCentral() throws {
        beginStep("subscribe")
        let refusal = try central().subscribe()
        try require(refusal == nil, "notifications of TX", got: refusal.map { "error \($0)" } ?? "")
    }

    /// All that an app does before its first command; `send` and `expect` go over the link from then on.
    @discardableResult
    func beginOverBluetooth() throws -> TestCentral {
        _ = try discovered()
        try pairCentral()
        try subscribeCentral()
        return try central()
    }

    /// Ends the Bluetooth link.
    func hangUp() throws {
        beginStep("disconnect")
        try central().disconnect()
    }

    /// Bytes that are written to RX as they are, with an answer.
    func writeValue(_ value: [UInt8]) throws -> ATT.ErrorCode? {
        beginStep("write>", value)
        guard let handle = try central().service?.receive.value else { return .attributeNotFound }
        return try central().write(value, to: handle)
    }

    /// The next value of TX must match, as it is. A radio that is not alone may report others before.
    func expectValue(_ pattern: Pattern) throws {
        beginStep("value expected")
        for _ in 0..<1000 {
            guard let value = try nextValue(within: target.patience) else { break }
            if !isAlone, value.first ?? 0 >= 0x80 { continue }
            guard case .matches = try pattern.match(value) else {
                throw failure(expected: pattern.source, got: FrameText.hex(value))
            }
            return
        }
        throw failure(expected: pattern.source, got: "nothing")
    }

    private func nextValue(within span: TimeSpan) throws -> [UInt8]? {
        guard let value = try central().notification(within: span) else { return nil }
        note("<value", value)
        return value
    }

    /// Fails unless the radio refuses for want of security: ATT error 0x05 or 0x0F.
    func requireRefused(_ what: String, _ refusal: ATT.ErrorCode?) throws {
        try require(
            refusal == .insufficientAuthentication || refusal == .insufficientEncryption,
            "\(what) refused with ATT error 0x05 or 0x0F",
            got: refusal.map { "error 0x\([$0.rawValue].hex)" } ?? "accepted")
    }

    /// Fails unless RX and TX have these properties.
    func requireProperties(receive: UInt8, transmit: UInt8) throws {
        let service = try discovered()
        try require(
            "properties of RX and TX", [service.receive.properties, service.transmit.properties],
            is: [receive, transmit])
    }

    /// Values of TX until none comes for a while; of a radio that is not alone only those that were asked for.
    func values() throws -> [[UInt8]] {
        var values: [[UInt8]] = []
        for _ in 0..<10_000 {
            guard let value = try nextValue(within: target.silence) else { break }
            if isAlone || value.first ?? 0 < 0x80 { values.append(value) }
        }
        return values
    }
}
