import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Pairings and bonds that succeed, with two managers against each other.
@Suite struct PairingTests {
    static let modes = [true, false]

    static func radio(_ secureConnections: Bool, passkey: UInt32? = 123_456) -> SecurityManager.Settings {
        .displaying(passkey: passkey, secureConnections: secureConnections)
    }

    /// A pair that has paired and bonded.
    static func paired(secureConnections: Bool, seed: UInt64 = 1) -> SecurityPair {
        var pair = SecurityPair(peripheral: radio(secureConnections), seed: seed)
        pair.user = .types(123_456)
        pair.startCentral()
        return pair
    }

    @Test(arguments: modes)
    func `with the right passkey both sides are secured and keep the same key`(secureConnections: Bool) throws {
        let pair = Self.paired(secureConnections: secureConnections)
        let level = secureConnections ? SecurityLevel.authenticatedSecure : .authenticated
        let bonds = (try #require(pair.bonds.central), try #require(pair.bonds.peripheral))

        #expect(pair.centralResults == [.askPasskey, .secured(level), .bonded(bonds.0)])
        #expect(pair.peripheralResults == [.showPasskey(123_456), .secured(level), .bonded(bonds.1)])
        #expect(pair.central.level == level)
        #expect(pair.peripheral.level == level)
        #expect(bonds.0.longTermKey == bonds.1.longTermKey)
        #expect(bonds.0.random == bonds.1.random)
        #expect(bonds.0.diversifier == bonds.1.diversifier)
        #expect((bonds.0.diversifier == 0) == secureConnections)
        #expect(bonds.0.peer == SecurityPair.peripheralAddress)
        #expect(bonds.1.peer == SecurityPair.centralAddress)
        #expect(pair.central.deadline == nil)
        #expect(pair.peripheral.deadline == nil)
    }

    @Test func `Secure Connections take twenty rounds, legacy pairing one`() {
        func confirms(_ secureConnections: Bool) -> Int {
            Self.paired(secureConnections: secureConnections).packets.count { $0.bytes[0] == SMP.Code.pairingConfirm }
        }
        #expect(confirms(true) == 40)
        #expect(confirms(false) == 2)
    }

    @Test(arguments: modes)
    func `a drawn passkey is shown on one side and typed on the other`(secureConnections: Bool) {
        var shown: Set<SecurityManager.Effect> = []
        for seed in 1...4 as ClosedRange<UInt64> {
            var pair = SecurityPair(peripheral: Self.radio(secureConnections, passkey: nil), seed: seed)
            pair.user = .reads
            pair.startCentral()
            #expect(pair.central.level >= .authenticated)
            shown.formUnion(pair.peripheralResults.prefix(1))
        }
        #expect(shown.count == 4)
    }

    @Test(arguments: modes)
    func `a central that knows the passkey does not ask`(secureConnections: Bool) {
        var settings = SecurityManager.Settings()
        settings.passkey = 123_456
        var pair = SecurityPair(central: settings, peripheral: Self.radio(secureConnections))
        pair.startCentral()

        #expect(!pair.centralResults.contains(.askPasskey))
        #expect(pair.central.level >= .authenticated)
    }

    @Test(arguments: modes)
    func `a bond secures the next connection without a pairing`(secureConnections: Bool) {
        let first = Self.paired(secureConnections: secureConnections)
        var second = SecurityPair(peripheral: Self.radio(secureConnections), bonds: first.bonds, seed: 2)
        second.startCentral()

        #expect(second.packets.isEmpty)
        #expect(second.centralResults == [.secured(first.central.level)])
        #expect(second.peripheralResults == [.secured(first.central.level)])
        #expect(second.central.deadline == nil)
    }

    @Test(arguments: modes)
    func `a peripheral asks for security, and the central encrypts or pairs`(secureConnections: Bool) {
        var pair = SecurityPair(peripheral: Self.radio(secureConnections))
        pair.user = .types(123_456)
        pair.startPeripheral()
        #expect(pair.packets.first?.bytes.first == SMP.Code.securityRequest)
        #expect(pair.peripheral.level >= .authenticated)

        var next = SecurityPair(peripheral: Self.radio(secureConnections), bonds: pair.bonds)
        next.startPeripheral()
        #expect(next.packets.count == 1)
        #expect(next.peripheral.level >= .authenticated)

        // Once secured, nobody asks again, and the central does not listen.
        next.startPeripheral()
        next.inject([SMP.Code.securityRequest, 0x05], to: .initiator)
        #expect(next.packets.count == 1)
    }

    @Test(arguments: modes)
    func `without a demand for MITM protection just works is enough`(secureConnections: Bool) {
        var (central, peripheral) = (SecurityManager.Settings(), SecurityManager.Settings())
        (central.requiresMITM, peripheral.requiresMITM) = (false, false)
        peripheral.ioCapability = .noInputNoOutput
        peripheral.secureConnections = secureConnections
        var pair = SecurityPair(central: central, peripheral: peripheral)
        pair.startCentral()

        #expect(pair.central.level == .encrypted)
        #expect(pair.peripheral.level == .encrypted)
        #expect(pair.bonds.central?.longTermKey == pair.bonds.peripheral?.longTermKey)
        #expect(pair.bonds.central != nil)
    }

    @Test func `a bond that is not good enough is not used`() {
        var (central, peripheral) = (SecurityManager.Settings(), Self.radio(true))
        (central.requiresMITM, peripheral.requiresMITM) = (false, false)
        central.ioCapability = .noInputNoOutput
        var weak = SecurityPair(central: central, peripheral: peripheral)
        weak.startCentral()
        #expect(weak.bonds.central?.level == .encrypted)

        var pair = SecurityPair(peripheral: Self.radio(true), bonds: weak.bonds)
        pair.user = .types(123_456)
        pair.startCentral()
        #expect(pair.central.level == .authenticatedSecure)
        #expect(pair.bonds.central?.level == .authenticatedSecure)
    }

    @Test(arguments: modes)
    func `who does not want a bond gets none, and is secured all the same`(secureConnections: Bool) {
        var central = SecurityManager.Settings()
        central.bonds = false
        var pair = SecurityPair(central: central, peripheral: Self.radio(secureConnections))
        pair.user = .types(123_456)
        pair.startCentral()

        #expect(pair.central.level >= .authenticated)
        #expect(pair.bonds.central == nil)
        #expect(pair.bonds.peripheral == nil)
        #expect(pair.peripheral.deadline == nil)
    }

    @Test(arguments: modes)
    func `identities are handed over and known again`(secureConnections: Bool) throws {
        var central = SecurityManager.Settings()
        central.identityAddress = BluetoothAddress(number: 0xA0B0_C0D0_E0F0, isRandom: false)
        central.identityKey = FixedBytes((1...16).map { UInt8($0) })
        var pair = SecurityPair(central: central, peripheral: Self.radio(secureConnections))
        pair.user = .types(123_456)
        pair.startCentral()

        let bond = try #require(pair.bonds.peripheral)
        #expect(bond.peer == central.identityAddress)
        #expect(bond.identityKey == central.identityKey)
        #expect(pair.bonds.central?.identityKey == nil)
    }

    @Test(arguments: modes, [UInt8(7), 10, 16])
    func `a shorter key has zeros in front, and makes no level of its own`(secureConnections: Bool, size: UInt8) throws
    {
        var central = SecurityManager.Settings()
        central.keySizes = 7...size
        var pair = SecurityPair(central: central, peripheral: Self.radio(secureConnections))
        pair.user = .types(123_456)
        pair.startCentral()

        let bond = try #require(pair.bonds.central)
        #expect(bond.keySize == size)
        #expect(bond.longTermKey == pair.bonds.peripheral?.longTermKey)
        #expect(bond.longTermKey.array.dropFirst(Int(size)).allSatisfy { $0 == 0 })
        #expect(bond.level == (secureConnections && size == 16 ? .authenticatedSecure : .authenticated))
    }

    /// All combinations of means to show and to type: Bluetooth Core, Vol 3 Part H, 2.3.5.1, table 2.8.
    @Test(arguments: modes)
    func `all capabilities end in security or in a stated reason, on both sides the same`(secureConnections: Bool) {
        for initiator in 0...4 as ClosedRange<UInt8> {
            for responder in 0...4 as ClosedRange<UInt8> {
                var (central, peripheral) = (SecurityManager.Settings(), SecurityManager.Settings())
                central.ioCapability = SMP.IOCapability(rawValue: initiator)
                peripheral.ioCapability = SMP.IOCapability(rawValue: responder)
                peripheral.secureConnections = secureConnections
                var pair = SecurityPair(central: central, peripheral: peripheral)
                pair.user = initiator == 2 && responder == 2 ? .types(7) : .reads
                pair.startCentral()
                let succeeds = Self.authenticates(initiator, responder, secureConnections)
                #expect((pair.central.level >= .authenticated) == succeeds)
                #expect(pair.central.level == pair.peripheral.level)
                #expect((pair.failures.central == nil) == succeeds)
                #expect((pair.failures.peripheral == nil) == succeeds)
                #expect(pair.central.deadline == nil)
                #expect(pair.peripheral.deadline == nil)
            }
        }
    }

    /// Numbers to compare are not offered: both sides could, in Secure Connections.
    private static func authenticates(_ initiator: UInt8, _ responder: UInt8, _ secureConnections: Bool) -> Bool {
        let (shows, types, compares): ([UInt8], [UInt8], [UInt8]) = ([0, 1, 4], [2, 4], [1, 4])
        if secureConnections, compares.contains(initiator), compares.contains(responder) { return false }
        return (shows.contains(initiator) && types.contains(responder))
            || (types.contains(initiator) && shows.contains(responder))
            || (types.contains(initiator) && types.contains(responder))
    }
}
