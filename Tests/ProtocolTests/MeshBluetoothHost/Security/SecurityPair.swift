import MeshTime
import MeshWire

@testable import MeshBluetoothHost

/// A central and a peripheral with what stands between them: the channel, the controllers that encrypt, and the user.
struct SecurityPair {
    typealias Effect = SecurityManager.Effect

    /// The actions of the user on the side that asks.
    enum User {
        case types(UInt32)
        /// Reads the passkey off the other side.
        case reads
        case givesUp
        case isAway
    }

    static let centralAddress = BluetoothAddress(number: 0x0011_2233_4455, isRandom: false)
    static let peripheralAddress = BluetoothAddress(number: 0xC0FF_EE00_1122, isRandom: true)

    var central: SecurityManager
    var peripheral: SecurityManager
    var user = User.reads
    /// The status from the central's controller for a peripheral without a key.
    var missingKey: UInt8 = 0x06
    var now = Instant.seconds(100)
    /// The results, without packets and keys.
    var centralResults: [Effect] = []
    var peripheralResults: [Effect] = []
    /// All packets in their order.
    var packets: [(sender: SecurityManager.Role, bytes: [UInt8])] = []
    /// The change that the channel makes to a packet: others, or none.
    var alter: (SecurityManager.Role, [UInt8]) -> [[UInt8]] = { [$1] }
    var isConnected = true

    private var shown: UInt32?
    /// Waits for the other side to show something.
    private var reader: SecurityManager.Role?
    private var requested: FixedBytes<16>?
    private var randomness: (central: RandomStream, peripheral: RandomStream)
    private var inFlight: [(receiver: SecurityManager.Role, bytes: [UInt8])] = []

    init(
        central: SecurityManager.Settings = .init(), peripheral: SecurityManager.Settings, bonds: BondPair = .init(),
        seed: UInt64 = 1, attempts: RepeatedAttempts = .init()
    ) {
        self.central = SecurityManager(
            role: .initiator, settings: central, local: Self.centralAddress, peer: Self.peripheralAddress,
            bond: bonds.central)
        self.peripheral = SecurityManager(
            role: .responder, settings: peripheral, local: Self.peripheralAddress, peer: Self.centralAddress,
            bond: bonds.peripheral)
        self.peripheral.attempts = attempts
        randomness = (Seed(seed).stream("central"), Seed(seed).stream("peripheral"))
    }

    struct BondPair: Sendable {
        var central: Bond?
        var peripheral: Bond?
    }

    /// The bonds on both sides.
    var bonds: BondPair { BondPair(central: central.bond, peripheral: peripheral.bond) }

    var failures: (central: SecurityManager.Failure?, peripheral: SecurityManager.Failure?) {
        (Self.failure(centralResults), Self.failure(peripheralResults))
    }

    private static func failure(_ effects: [Effect]) -> SecurityManager.Failure? {
        effects.lazy.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.first
    }

    mutating func startCentral() {
        perform(.initiator, central.start(at: now, random: &randomness.central))
        deliver()
    }

    mutating func startPeripheral() {
        perform(.responder, peripheral.start(at: now, random: &randomness.peripheral))
        deliver()
    }

    mutating func type(_ passkey: UInt32?) {
        perform(.initiator, central.passkeyGiven(passkey, at: now, random: &randomness.central))
        deliver()
    }

    /// Hands a packet of an attacker to one side.
    mutating func inject(_ bytes: [UInt8], to role: SecurityManager.Role) {
        inFlight.append((role, bytes))
        deliver()
    }

    /// Lets time pass, and handles what is due.
    mutating func wait(_ time: TimeSpan) {
        now += time
        perform(.initiator, central.expire(at: now))
        perform(.responder, peripheral.expire(at: now))
        deliver()
    }

    private mutating func deliver() {
        while !inFlight.isEmpty {
            let (receiver, bytes) = inFlight.removeFirst()
            if receiver == .initiator {
                perform(receiver, central.receive(bytes.span, at: now, random: &randomness.central))
            } else {
                perform(receiver, peripheral.receive(bytes.span, at: now, random: &randomness.peripheral))
            }
        }
    }

    private mutating func perform(_ role: SecurityManager.Role, _ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .send(let bytes):
                guard isConnected else { continue }
                packets.append((role, bytes))
                for altered in alter(role, bytes) {
                    inFlight.append((role == .initiator ? .responder : .initiator, altered))
                }
            case .startEncryption(let key, let random, let diversifier):
                requested = key
                perform(.responder, peripheral.keyRequested(random: random, diversifier: diversifier))
            case .answerKeyRequest(let key): answer(key)
            case .askPasskey:
                keep(effect, role)
                ask(role)
            case .showPasskey(let passkey):
                shown = passkey
                keep(effect, role)
                if let reader { ask(reader) }
            case .disconnect:
                isConnected = false
                keep(effect, role)
            case .secured, .bonded, .failed: keep(effect, role)
            }
        }
    }

    private mutating func keep(_ effect: Effect, _ role: SecurityManager.Role) {
        if role == .initiator { centralResults.append(effect) } else { peripheralResults.append(effect) }
    }

    /// Both controllers have the same key, or the central's reports why not: `missingKey`, or 0x3D another key.
    private mutating func answer(_ key: FixedBytes<16>?) {
        guard let key, key == requested else {
            let status: UInt8 = key == nil ? missingKey : 0x3D
            perform(.initiator, central.encryptionChanged(isOn: false, status: status, at: now))
            return
        }
        perform(.initiator, central.encryptionChanged(isOn: true, status: 0, at: now))
        perform(.responder, peripheral.encryptionChanged(isOn: true, status: 0, at: now))
    }

    private mutating func ask(_ role: SecurityManager.Role) {
        let passkey: UInt32?
        switch user {
        case .types(let digits): passkey = digits
        case .reads:
            reader = shown == nil ? role : nil
            guard let shown else { return }
            passkey = shown
        case .givesUp: passkey = nil
        case .isAway: return
        }
        if role == .initiator {
            perform(role, central.passkeyGiven(passkey, at: now, random: &randomness.central))
        } else {
            perform(role, peripheral.passkeyGiven(passkey, at: now, random: &randomness.peripheral))
        }
    }
}
