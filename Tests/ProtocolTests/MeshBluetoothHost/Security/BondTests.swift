import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Bonds: lost ones, their table, its file, and that nothing shows their keys.
@Suite struct BondTests {
    private func address(_ number: UInt64) -> BluetoothAddress { BluetoothAddress(number: number, isRandom: false) }

    private func bond(_ number: UInt64, identityKey: FixedBytes<16>? = nil) -> Bond {
        Bond(
            peer: address(number), longTermKey: FixedBytes(repeatElement(UInt8(truncatingIfNeeded: number), count: 16)),
            diversifier: 0x1234, random: 0x0123_4567_89AB_CDEF, level: .authenticated, keySize: 16,
            identityKey: identityKey)
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

    @Test func `a table keeps one bond a peer, and as many as it may`() {
        var table = BondTable()
        for number in 1...UInt64(BondTable.limit) {
            let dropped = table.insert(bond(number))
            #expect(dropped == nil)
        }
        table.insert(bond(1))
        #expect(table.bonds.count == BondTable.limit)
        let dropped = table.insert(bond(1000))
        #expect(dropped?.peer == address(2))
        #expect(table.bonds.count == BondTable.limit)

        #expect(table.bond(with: address(1000)) == bond(1000))
        let removals = (table.remove(address(1000)), table.remove(address(1000)))
        #expect(removals == (true, false))
        #expect(table.bond(with: address(1000)) == nil)
    }

    /// Key and address: Bluetooth Core, Vol 3 Part H, D.7.
    @Test func `a changing address finds its bond by the identity key`() throws {
        let key = try #require(FixedBytes<16>(hex: "9b7d390aa610103405adc857a33402ec"))
        var table = BondTable()
        table.insert(bond(5))
        table.insert(bond(6, identityKey: key))

        #expect(table.bond(with: BluetoothAddress(number: 0x7081_940D_FBAA, isRandom: true))?.peer == address(6))
        #expect(table.bond(with: BluetoothAddress(number: 0x7081_940D_FBAB, isRandom: true)) == nil)
    }

    @Test func `what a file holds is read again`() throws {
        var table = BondTable()
        #expect(try BondTable(decoding: table.encoded) == table)
        for number in 1...20 as ClosedRange<UInt64> {
            table.insert(bond(number, identityKey: number.isMultiple(of: 2) ? FixedBytes([UInt8(number)]) : nil))
        }
        #expect(try BondTable(decoding: table.encoded) == table)
    }

    @Test func `no bytes of a file stop the program, and cut ones are refused`() {
        var table = BondTable()
        for number in 1...3 as ClosedRange<UInt64> { table.insert(bond(number)) }
        let file = table.encoded
        for count in 0..<file.count {
            #expect(throws: FrameError.self) { try BondTable(decoding: Array(file.prefix(count))) }
        }
        #expect(throws: FrameError.self) { try BondTable(decoding: file + [0]) }
        for index in file.indices {
            for value in [UInt8(0), 0x7F, 0xFF] {
                var changed = file
                changed[index] = value
                _ = try? BondTable(decoding: changed)
            }
        }
        var randomness = Seed(1).stream("bonds")
        for _ in 0..<2000 {
            var bytes = [UInt8](repeating: 0, count: Int(randomness.nextByte()))
            bytes.withUnsafeMutableBytes { randomness.fill($0) }
            _ = try? BondTable(decoding: Array(file.prefix(6)) + bytes)
        }
    }

    @Test func `a level, a key size and an address that no bond has are refused`() {
        var table = BondTable()
        table.insert(bond(1))
        let file = table.encoded
        for (offset, values) in [(6, [2]), (39, [0, 1, 5]), (40, [0, 6, 17]), (41, [2])] as [(Int, [UInt8])] {
            for value in values {
                var changed = file
                changed[offset] = value
                #expect(throws: FrameError.self) { try BondTable(decoding: changed) }
            }
        }
    }

    @Test func `nothing shows a key or a passkey`() throws {
        let key = FixedBytes<16>(repeatElement(0xA7, count: 16))
        let secret = Bond(peer: address(1), longTermKey: key, level: .authenticated, identityKey: key)
        var table = BondTable()
        table.insert(secret)
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

        for value in [secret, table, effects, manager, information] as [Any] { expectHidden(value) }
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
