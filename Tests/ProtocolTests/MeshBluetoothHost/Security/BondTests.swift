import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Bonds: lost ones, and that nothing shows their keys.
@Suite struct BondTests {
    private func address(_ number: UInt64) -> BluetoothAddress { BluetoothAddress(number: number, isRandom: false) }

    private func bond(_ number: UInt64) -> Bond {
        Bond(
            peer: address(number), longTermKey: FixedBytes(repeatElement(UInt8(truncatingIfNeeded: number), count: 16)),
            diversifier: 0x1234, random: 0x0123_4567_89AB_CDEF, level: .authenticated, keySize: 16)
    }

    @Test(arguments: PairingTests.modes)
    func `a bond lost by the peripheral is told, and the next attempt pairs`(secureConnections: Bool) {
        var bonds = PairingTests.paired(secureConnections: secureConnections).bonds
        bonds.peripheral = nil
        var pair = SecurityPair(peripheral: PairingTests.radio(secureConnections), bonds: bonds)
        pair.user = .types(123_456)
        pair.startCentral()
        #expect(pair.failures.central == .keyMissing)
        #expect(pair.failures.peripheral == .keyMissing)
        #expect(pair.isConnected)
        #expect(pair.central.level == .none)

        pair.startCentral()
        #expect(pair.central.level >= .authenticated)
        #expect(pair.bonds.central?.longTermKey == pair.bonds.peripheral?.longTermKey)
    }

    @Test func `a controller may call a bond that the peripheral lost an authentication failure`() {
        var bonds = PairingTests.paired(secureConnections: true).bonds
        bonds.peripheral = nil
        var pair = SecurityPair(peripheral: PairingTests.radio(true), bonds: bonds)
        pair.missingKey = 0x05
        pair.user = .types(123_456)

        pair.startCentral()
        #expect(pair.failures.central == .keyMissing)
        pair.startCentral()

        #expect(pair.central.level >= .authenticated)
    }

    @Test(arguments: PairingTests.modes)
    func `a bond lost by the central is replaced by a new pairing`(secureConnections: Bool) {
        let first = PairingTests.paired(secureConnections: secureConnections).bonds
        var bonds = first
        bonds.central = nil
        var pair = SecurityPair(peripheral: PairingTests.radio(secureConnections), bonds: bonds, seed: 2)
        pair.user = .types(123_456)
        pair.startCentral()

        #expect(pair.central.level >= .authenticated)
        #expect(pair.bonds.peripheral?.longTermKey != first.peripheral?.longTermKey)
        #expect(pair.bonds.central?.longTermKey == pair.bonds.peripheral?.longTermKey)
    }

    @Test func `a failed pairing leaves the bond that was there`() {
        let bonds = PairingTests.paired(secureConnections: true).bonds
        var lost = bonds
        lost.central = nil
        var pair = SecurityPair(peripheral: PairingTests.radio(true), bonds: lost, seed: 2)
        pair.user = .types(1)
        pair.startCentral()

        #expect(pair.bonds.peripheral == bonds.peripheral)
    }

    @Test func `another key on the other side is the controller's refusal`() {
        var bonds = PairingTests.paired(secureConnections: true).bonds
        bonds.peripheral?.longTermKey = FixedBytes()
        var pair = SecurityPair(peripheral: PairingTests.radio(true), bonds: bonds)
        pair.startCentral()

        #expect(pair.failures.central == .notEncrypted(status: 0x3D))
        #expect(pair.central.level == .none)
        #expect(pair.bonds.central != nil)
    }

    @Test func `a peripheral gives its key for the numbers of the bond only`() {
        let kept = bond(5)
        for (random, diversifier) in [(kept.random, 0), (0, kept.diversifier), (0, 0), (kept.random, kept.diversifier)]
        {
            var manager = SecurityManager(
                role: .responder, settings: .init(), local: address(2), peer: kept.peer, bond: kept)
            let effects = manager.keyRequested(random: random, diversifier: diversifier)
            let isRight = random == kept.random && diversifier == kept.diversifier
            let refused: [SecurityManager.Effect] = [.answerKeyRequest(key: nil), .failed(.keyMissing)]
            #expect(effects == (isRight ? [.answerKeyRequest(key: kept.longTermKey)] : refused))
        }
    }

    @Test func `nothing shows a key or a passkey`() throws {
        let key = FixedBytes<16>(repeatElement(0xA7, count: 16))
        let secret = Bond(peer: address(1), longTermKey: key, level: .authenticated, identityKey: key)
        var information = SMP.EncryptionInformation()
        information.longTermKey = key
        let effects: [SecurityManager.Effect] = [
            .send(information.encoded()), .startEncryption(key: key, random: 0, diversifier: 0),
            .answerKeyRequest(key: key), .bonded(secret), .showPasskey(167_167),
        ]
        var manager = SecurityManager(
            role: .initiator, settings: .init(), local: address(2), peer: address(1), bond: secret)
        var randomness = Seed(1).stream("keys")
        _ = manager.start(at: .start, random: &randomness)

        for value in [secret, effects, manager, information] as [Any] { expectHidden(value) }
    }

    @Test func `nothing that a host has, is asked for or tells shows a key or a passkey`() throws {
        let key = FixedBytes<16>(repeatElement(0xA7, count: 16))
        var identity = SMP.IdentityInformation()
        identity.identityKey = key
        var signing = SMP.SigningInformation()
        signing.signingKey = key
        var settings = BluetoothHost.Settings()
        settings.security.passkey = 167_167
        settings.security.identityKey = key
        let known = BluetoothHost.KnownPeer(
            bond: Bond(peer: address(1), longTermKey: key, level: .authenticated, identityKey: key))
        let host = BluetoothHost(settings, known: [known])
        let link = try HostTimelineTests.connected().link(0)
        let event = BluetoothHost.Event.passkeyShown(link, 167_167)
        let request = BluetoothHost.Request.passkey(link, 167_167)

        let effect = BluetoothHost.Effect.tell(event)
        for value in [identity, signing, settings, settings.security, known, host, event, request, effect] as [Any] {
            expectHidden(value)
        }
        #expect("\(event)" == "passkeyShown(link 1)" && "\(request)" == "passkey(link 1)")
    }

    /// The byte 0xA7 is 167.
    private func expectHidden(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] {
            #expect(!text.lowercased().contains("a7a7") && !text.contains("167"))
        }
    }
}
