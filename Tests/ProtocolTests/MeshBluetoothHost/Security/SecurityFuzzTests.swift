import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Random and changed packets into both roles: nothing stops, and nothing is secured.
@Suite struct SecurityFuzzTests {
    /// A manager in the hands of an attacker who knows no passkey.
    private struct Target {
        var manager: SecurityManager
        var random = Seed(1).stream("own")
        var now = Instant.start

        init(_ role: SecurityManager.Role, secureConnections: Bool) {
            var settings = PairingTests.radio(secureConnections)
            if role == .initiator { settings.ioCapability = .keyboardOnly }
            manager = SecurityManager(
                role: role, settings: settings, local: SecurityPair.centralAddress,
                peer: SecurityPair.peripheralAddress)
        }
    }

    /// Packets, half of them changed ones of real pairings, into both roles. Returns the failures that came of it.
    private func run(count: Int, seed: UInt64) -> Set<SecurityManager.Failure> {
        var randomness = Seed(seed).stream("fuzz")
        // A few of each kind, so that the many of some rounds do not drown the others.
        var real: [[UInt8]] = []
        for bytes in [true, false].flatMap({ PairingTests.paired(secureConnections: $0).packets.map(\.bytes) })
        where real.count(where: { $0[0] == bytes[0] }) < 3 {
            real.append(bytes)
        }
        var targets = [SecurityManager.Role.initiator, .responder].flatMap { role in
            [true, false].map { Target(role, secureConnections: $0) }
        }
        var failures: Set<SecurityManager.Failure> = []
        for index in 0..<count {
            let which = index & 3
            for case .failed(let failure) in feed(&targets[which], Self.packet(real, &randomness), &randomness) {
                failures.insert(failure)
            }
            if targets[which].manager.level != .none { Issue.record("secured without a passkey") }
        }
        return failures
    }

    private static func packet(_ real: [[UInt8]], _ randomness: inout RandomStream) -> [UInt8] {
        let draw = randomness.next()
        guard draw & 1 == 0 else {
            let count = Int(draw >> 8 & 0x1F)
            var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: draw >> 24), count: count)
            if count > 0 { bytes[0] = UInt8(truncatingIfNeeded: draw >> 16) & 0x0F }
            return bytes
        }
        var bytes = real[Int(draw >> 8 & 0xFFFF) % real.count]
        let change = UInt8(truncatingIfNeeded: draw >> 24)
        switch change & 7 {
        case 0: bytes[Int(draw >> 32 & 0xFF) % bytes.count] ^= change | 1
        case 1: bytes.removeLast()
        case 2: bytes.append(change)
        default: break
        }
        return bytes
    }

    private func feed(_ target: inout Target, _ packet: [UInt8], _ randomness: inout RandomStream)
        -> [SecurityManager.Effect]
    {
        var effects = target.manager.receive(packet.span, at: target.now, random: &target.random)
        let draw = randomness.next()
        switch draw & 0x3F {
        case 0: effects += target.manager.start(at: target.now, random: &target.random)
        case 1, 6, 7:
            effects += target.manager.passkeyGiven(
                draw & 0x40 == 0 ? nil : 123_456, at: target.now, random: &target.random)
        case 2: effects += target.manager.keyRequested(random: draw & 0x40, diversifier: 0)
        case 3: effects += target.manager.encryptionChanged(isOn: false, status: UInt8(draw >> 8 & 7), at: target.now)
        case 4:
            target.now += .seconds(31)
            effects += target.manager.expire(at: target.now)
        case 5 where draw & 0xFF00 == 0:
            // A new connection.
            let role: SecurityManager.Role = draw & 0x40 == 0 ? .initiator : .responder
            let attempts = target.manager.attempts
            target = Target(role, secureConnections: draw & 0x80 == 0)
            target.manager.attempts = attempts
        default: break
        }
        return effects
    }

    @Test func `random and changed packets stop nothing and secure nothing`() {
        let failures = run(count: 1_000_000, seed: 1)

        // The walk went deep enough to end in the ways that an attacker's pairing can.
        for cause in [
            .malformed(code: SMP.Code.pairingPublicKey), .unexpected(code: SMP.Code.pairingRandom),
            .wrongPasskey(round: 1),
        ] as [SecurityManager.Failure.Cause] {
            let isThere = failures.contains { if case .ended(_, cause) = $0 { true } else { false } }
            #expect(isThere, "\(cause)")
        }
        #expect(failures.isSuperset(of: [.timedOut, .keyMissing]))
    }
}
