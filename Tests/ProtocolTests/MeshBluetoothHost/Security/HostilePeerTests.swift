import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Peers that break the rules: nothing is given to them, and nothing stops.
@Suite struct HostilePeerTests {
    typealias Failure = SecurityManager.Failure

    /// A pairing with Secure Connections, in which packets of a kind are changed.
    private func pair(
        secureConnections: Bool = true, changing code: UInt8, from sender: SecurityManager.Role,
        _ change: @escaping ([UInt8]) -> [UInt8]
    ) -> SecurityPair {
        var pair = SecurityPair(peripheral: PairingTests.radio(secureConnections))
        pair.user = .types(123_456)
        pair.alter = { role, bytes in [role == sender && bytes[0] == code ? change(bytes) : bytes] }
        pair.startCentral()
        return pair
    }

    @Test func `a public key that is not on the curve is refused by both sides`() {
        let toPeripheral = pair(changing: SMP.Code.pairingPublicKey, from: .initiator) { $0.dropLast() + [$0[64] ^ 1] }
        #expect(toPeripheral.failures.peripheral == .ended(.dhKeyCheckFailed, .invalidPublicKey))
        #expect(toPeripheral.failures.central == .endedByPeer(.dhKeyCheckFailed))

        let toCentral = pair(changing: SMP.Code.pairingPublicKey, from: .responder) { _ in
            [SMP.Code.pairingPublicKey] + [UInt8](repeating: 0, count: 64)
        }
        #expect(toCentral.failures.central == .ended(.dhKeyCheckFailed, .invalidPublicKey))
    }

    @Test func `our own public key sent back is refused, with either sign of its point`() {
        for flips in [false, true] {
            var pair = SecurityPair(peripheral: PairingTests.radio(true))
            pair.user = .types(123_456)
            let seen = Seen()
            pair.alter = { role, bytes in
                guard bytes[0] == SMP.Code.pairingPublicKey else { return [bytes] }
                if role == .initiator {
                    seen.bytes = bytes
                    return [bytes]
                }
                return [flips ? seen.bytes.dropLast() + [seen.bytes[64] ^ 1] : seen.bytes]
            }
            pair.startCentral()
            #expect(pair.failures.central == .ended(.dhKeyCheckFailed, .reflectedPublicKey))
            #expect(pair.central.level == .none)
        }
    }

    private final class Seen { var bytes: [UInt8] = [] }

    /// Source: Bluetooth Core, erratum ES-24491.
    @Test func `in legacy pairing our own confirm value sent back is refused`() {
        var pair = SecurityPair(peripheral: PairingTests.radio(false))
        pair.user = .types(123_456)
        let seen = Seen()
        pair.alter = { role, bytes in
            guard [SMP.Code.pairingConfirm, SMP.Code.pairingRandom].contains(bytes[0]) else { return [bytes] }
            if role == .initiator { seen.bytes = bytes }
            return [seen.bytes]
        }
        pair.startCentral()
        #expect(pair.failures.central == .ended(.confirmValueFailed, .wrongPasskey(round: 1)))
        #expect(pair.failures.peripheral == .endedByPeer(.confirmValueFailed))
        #expect(!pair.packets.contains { $0.bytes[0] == SMP.Code.pairingRandom })
    }

    /// The check covers what a side can and wants, not the size of the key: there the controllers find other keys.
    @Test func `changed requirements are found by the final check, a changed key size by the encryption`() {
        let changed = pair(changing: SMP.Code.pairingRequest, from: .initiator) { bytes in
            var bytes = bytes
            bytes[3] ^= SMP.Requirements.keypress.rawValue
            return bytes
        }
        #expect(changed.failures.peripheral == .ended(.dhKeyCheckFailed, .wrongCheck))
        #expect(changed.failures.central == .endedByPeer(.dhKeyCheckFailed))
        #expect(changed.central.level == .none)
        #expect(changed.peripheral.level == .none)

        let shortened = pair(changing: SMP.Code.pairingRequest, from: .initiator) { bytes in
            var bytes = bytes
            bytes[4] = 7
            return bytes
        }
        #expect(shortened.failures.central == .notEncrypted(status: 0x3D))
        #expect(shortened.peripheral.level == .none)
    }

    @Test func `in legacy pairing changed features are found by the confirm value`() {
        let changed = pair(secureConnections: false, changing: SMP.Code.pairingRequest, from: .initiator) { bytes in
            var bytes = bytes
            bytes[4] = 7
            return bytes
        }
        #expect(changed.failures.peripheral == .ended(.confirmValueFailed, .wrongPasskey(round: 1)))
    }

    @Test func `a wrong final check is refused by both sides`() {
        for sender in [SecurityManager.Role.initiator, .responder] {
            let wrong = pair(changing: SMP.Code.pairingDHKeyCheck, from: sender) { $0.dropLast() + [$0[16] ^ 1] }
            let expected = Failure.ended(.dhKeyCheckFailed, .wrongCheck)
            #expect((sender == .initiator ? wrong.failures.peripheral : wrong.failures.central) == expected)
            #expect(wrong.central.level == .none)
        }
    }

    @Test(arguments: PairingTests.modes)
    func `a packet of another length ends the pairing`(secureConnections: Bool) {
        for code in Set(PairingTests.paired(secureConnections: secureConnections).packets.map { $0.bytes[0] }).sorted()
        {
            for sender in [SecurityManager.Role.initiator, .responder] {
                for change in [{ [UInt8]($0.dropLast()) }, { $0 + [0] }, { [$0[0]] }] as [([UInt8]) -> [UInt8]] {
                    let changed = pair(secureConnections: secureConnections, changing: code, from: sender, change)
                    guard changed.packets.contains(where: { $0.sender == sender && $0.bytes[0] == code }) else {
                        continue
                    }
                    let failures = [changed.failures.central, changed.failures.peripheral]
                    #expect(failures.contains(.ended(.invalidParameters, .malformed(code: code))))
                    #expect(changed.central.deadline == nil)
                }
            }
        }
    }

    @Test(arguments: PairingTests.modes)
    func `a packet that comes too early ends the pairing`(secureConnections: Bool) {
        for (code, count) in SecurityPacketTests.lengths.sorted(by: { $0.key < $1.key }) {
            // The central waits for the response, or for its user.
            guard ![0x02, 0x05, 0x0B, 0x0C, 0x0E].contains(code) else { continue }
            var pair = SecurityPair(peripheral: PairingTests.radio(secureConnections))
            pair.user = .isAway
            pair.startCentral()
            pair.inject([code] + [UInt8](repeating: 1, count: count - 1), to: .initiator)
            #expect(pair.failures.central == .ended(.unspecified, .unexpected(code: code)))
            #expect(pair.failures.peripheral == .endedByPeer(.unspecified))
        }
    }

    @Test(arguments: PairingTests.modes)
    func `a controller that wants a key before the proof gets none`(secureConnections: Bool) {
        var pair = SecurityPair(peripheral: PairingTests.radio(secureConnections))
        pair.user = .isAway
        pair.startCentral()
        let effects = pair.peripheral.keyRequested(random: 0, diversifier: 0)
        #expect(effects == [.answerKeyRequest(key: nil)])
    }

    @Test func `outside a pairing nothing but a request has an effect`() {
        for (code, count) in SecurityPacketTests.lengths.sorted(by: { $0.key < $1.key }) {
            var pair = SecurityPair(peripheral: PairingTests.radio(true))
            let bytes = [code] + [UInt8](repeating: 0, count: count - 1)
            if code != SMP.Code.pairingRequest { pair.inject(bytes, to: .responder) }
            if code != SMP.Code.securityRequest { pair.inject(bytes, to: .initiator) }
            pair.inject([0x0F, 1, 2, 3], to: .responder)
            pair.inject([], to: .responder)
            #expect(pair.packets.isEmpty)
            #expect(pair.centralResults.isEmpty)
            #expect(pair.peripheralResults.isEmpty)
        }
    }

    @Test func `unknown packets and typing within a pairing are ignored, and prolong nothing`() {
        var pair = SecurityPair(peripheral: PairingTests.radio(true))
        pair.user = .isAway
        pair.startCentral()
        let deadline = pair.peripheral.deadline
        pair.wait(.seconds(10))
        pair.inject([0x0F, 1, 2, 3], to: .responder)
        pair.inject([SMP.Code.keypressNotification, 1], to: .responder)
        #expect(pair.peripheral.deadline == deadline)

        pair.type(123_456)
        #expect(pair.central.level == .authenticatedSecure)
    }

    @Test func `guessing is slowed down from the third failure on, until one pairing succeeds`() {
        var attempts = RepeatedAttempts()
        func attempt(_ passkey: UInt32, at now: Instant) -> SecurityPair {
            var pair = SecurityPair(peripheral: PairingTests.radio(true), attempts: attempts)
            pair.now = now
            pair.user = .types(passkey)
            pair.startCentral()
            attempts = pair.peripheral.attempts
            return pair
        }
        var now = Instant.seconds(1)
        for wait in [2, 4, 8, 16, 32, 64, 64] as [Int64] {
            if attempts.failures == 0 {
                for _ in 0..<2 { #expect(attempt(1, at: now).failures.central == .endedByPeer(.confirmValueFailed)) }
            }
            #expect(attempt(1, at: now).failures.central == .endedByPeer(.confirmValueFailed))
            now += .seconds(wait) - .milliseconds(1)
            let early = attempt(123_456, at: now)
            #expect(early.failures.central == .endedByPeer(.repeatedAttempts))
            #expect(early.failures.peripheral == .ended(.repeatedAttempts, .tooManyAttempts))
            now += .milliseconds(1)
        }
        #expect(attempt(123_456, at: now).central.level == .authenticatedSecure)
        #expect(attempts == RepeatedAttempts())
    }

    @Test func `a central does not pair again on demand of a peripheral after a failure`() {
        var pair = SecurityPair(peripheral: PairingTests.radio(true))
        pair.user = .givesUp
        pair.startCentral()
        let sent = pair.packets.count
        pair.isConnected = true
        pair.inject([SMP.Code.securityRequest, 0x0D], to: .initiator)
        #expect(pair.packets.count == sent)

        pair.user = .types(123_456)
        pair.startCentral()
        #expect(pair.central.level == .authenticatedSecure)
    }
}
