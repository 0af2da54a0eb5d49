import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Pairings that fail: each in a stated reason, and in a state from which the next attempt works.
@Suite struct PairingFailureTests {
    typealias Cause = SecurityManager.Failure.Cause

    private static func radio(_ secureConnections: Bool) -> SecurityManager.Settings {
        PairingTests.radio(secureConnections)
    }

    /// The same two devices on a new connection, with what they have kept; the right passkey works.
    private func expectNextAttemptWorks(after pair: SecurityPair, secureConnections: Bool) {
        var next = SecurityPair(
            peripheral: Self.radio(secureConnections), bonds: pair.bonds, seed: 99, attempts: pair.peripheral.attempts)
        next.user = .types(123_456)
        next.startCentral()
        #expect(next.central.level >= .authenticated)
        #expect(next.peripheral.level >= .authenticated)
    }

    private func expectUnsecured(_ pair: SecurityPair) {
        #expect(pair.central.level == .none)
        #expect(pair.peripheral.level == .none)
        #expect(pair.bonds.central == nil)
        #expect(pair.bonds.peripheral == nil)
    }

    @Test(arguments: PairingTests.modes)
    func `a wrong passkey ends the pairing and the link`(secureConnections: Bool) {
        var pair = SecurityPair(peripheral: Self.radio(secureConnections))
        pair.user = .types(654_321)
        pair.startCentral()

        // The lowest bit of 123456 and 654321 differs.
        #expect(pair.failures.peripheral == .ended(.confirmValueFailed, .wrongPasskey(round: 1)))
        #expect(pair.failures.central == .endedByPeer(.confirmValueFailed))
        #expect(pair.peripheralResults.last == .disconnect)
        #expect(!pair.isConnected)
        #expect(pair.central.deadline == nil)
        expectUnsecured(pair)
        expectNextAttemptWorks(after: pair, secureConnections: secureConnections)
    }

    @Test func `in Secure Connections the first wrong bit is found in its round`() {
        for bit in 0..<20 as Range<UInt32> {
            var pair = SecurityPair(peripheral: Self.radio(true), seed: UInt64(bit))
            pair.user = .types(UInt32(123_456) ^ (1 << bit))
            pair.startCentral()
            #expect(pair.failures.peripheral == .ended(.confirmValueFailed, .wrongPasskey(round: Int(bit) + 1)))
        }
    }

    @Test(arguments: PairingTests.modes)
    func `a user who gives up, or types more than six digits, ends the pairing`(secureConnections: Bool) {
        for user in [SecurityPair.User.givesUp, .types(1_000_000)] {
            var pair = SecurityPair(peripheral: Self.radio(secureConnections))
            pair.user = user
            pair.startCentral()

            #expect(pair.failures.central == .ended(.passkeyEntryFailed, .noPasskey))
            #expect(pair.failures.peripheral == .endedByPeer(.passkeyEntryFailed))
            expectUnsecured(pair)
            expectNextAttemptWorks(after: pair, secureConnections: secureConnections)
        }
    }

    @Test(arguments: PairingTests.modes)
    func `a user who is too late finds the pairing timed out after 30 s`(secureConnections: Bool) {
        var pair = SecurityPair(peripheral: Self.radio(secureConnections))
        pair.user = .isAway
        pair.startCentral()
        let deadline = pair.now + .seconds(30)
        #expect(pair.central.deadline == deadline)
        #expect(pair.peripheral.deadline == deadline)

        pair.wait(.milliseconds(29_999))
        #expect(pair.failures.central == nil)
        pair.wait(.milliseconds(1))
        #expect(pair.failures.central == .timedOut)
        #expect(pair.failures.peripheral == .timedOut)
        #expect(!pair.isConnected)

        let sent = pair.packets.count
        pair.type(123_456)
        pair.startCentral()
        #expect(pair.packets.count == sent)
        #expect(pair.centralResults.last == .failed(.timedOut))
        expectUnsecured(pair)
        expectNextAttemptWorks(after: pair, secureConnections: secureConnections)
    }

    @Test(arguments: PairingTests.modes)
    func `a user in time is in time`(secureConnections: Bool) {
        var pair = SecurityPair(peripheral: Self.radio(secureConnections))
        pair.user = .isAway
        pair.startCentral()
        pair.wait(.milliseconds(29_999))
        pair.type(123_456)

        #expect(pair.central.level >= .authenticated)
        #expect(pair.central.deadline == nil)
        #expect(pair.peripheral.deadline == nil)
    }

    /// Of every packet in turn: it is lost, and all that follow it.
    @Test(arguments: PairingTests.modes)
    func `a peer that vanishes at any step is given up after 30 s`(secureConnections: Bool) {
        let whole = PairingTests.paired(secureConnections: secureConnections).packets.count
        for limit in 0..<whole {
            var pair = SecurityPair(peripheral: Self.radio(secureConnections))
            pair.user = .types(123_456)
            var passed = 0
            // Packets are counted where they are sent.
            withExtendedLifetime(Counter()) { counter in
                pair.alter = { _, bytes in
                    defer { counter.value += 1 }
                    return counter.value < limit ? [bytes] : []
                }
                pair.startCentral()
                passed = counter.value
            }
            #expect(passed > limit)
            pair.wait(.seconds(30))
            #expect(pair.failures.central == .timedOut || pair.failures.peripheral == .timedOut)
            #expect(pair.central.deadline == nil)
            #expect(pair.peripheral.deadline == nil)
        }
    }

    private final class Counter { var value = 0 }

    @Test(arguments: PairingTests.modes)
    func `just works is refused where MITM protection is demanded`(secureConnections: Bool) {
        var central = SecurityManager.Settings()
        central.ioCapability = .noInputNoOutput
        central.requiresMITM = false
        var pair = SecurityPair(central: central, peripheral: Self.radio(secureConnections))
        pair.startCentral()
        #expect(pair.failures.peripheral == .ended(.authenticationRequirements, .noWayToProve))
        #expect(pair.failures.central == .endedByPeer(.authenticationRequirements))

        var deaf = SecurityManager.Settings()
        deaf.ioCapability = .noInputNoOutput
        deaf.requiresMITM = false
        deaf.secureConnections = secureConnections
        var other = SecurityPair(peripheral: deaf)
        other.startCentral()
        #expect(other.failures.central == .ended(.authenticationRequirements, .noWayToProve))
        #expect(other.failures.peripheral == .endedByPeer(.authenticationRequirements))
        expectUnsecured(other)
    }

    @Test func `who takes Secure Connections only does not pair with who has none`() {
        var central = SecurityManager.Settings()
        central.legacy = false
        var pair = SecurityPair(central: central, peripheral: Self.radio(false))
        pair.startCentral()

        #expect(pair.failures.central == .ended(.authenticationRequirements, .noCommonMethod))
        expectUnsecured(pair)
    }

    @Test func `a key that is too short is refused, and sizes that do not exist are`() {
        var central = SecurityManager.Settings()
        central.keySizes = 7...10
        var peripheral = Self.radio(true)
        peripheral.keySizes = 11...16
        var pair = SecurityPair(central: central, peripheral: peripheral)
        pair.startCentral()
        #expect(pair.failures.peripheral == .ended(.encryptionKeySize, .shortKey(10)))
        #expect(pair.failures.central == .endedByPeer(.encryptionKeySize))

        for size in [UInt8(0), 6, 17, 255] {
            var other = SecurityPair(peripheral: Self.radio(true))
            other.inject([SMP.Code.pairingRequest, 2, 0, 0x0D, size, 3, 3], to: .responder)
            #expect(other.failures.peripheral == .ended(.invalidParameters, .malformed(code: 1)))
        }
    }

    @Test func `data that came another way is not had`() {
        var pair = SecurityPair(peripheral: Self.radio(true))
        pair.inject([SMP.Code.pairingRequest, 2, 1, 0x0D, 16, 3, 3], to: .responder)

        #expect(pair.failures.peripheral == .ended(.oobNotAvailable, .noOutOfBandData))
    }
}
