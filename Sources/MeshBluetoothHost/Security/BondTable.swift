import MeshWire

/// The bonds of one adapter, one for each peer, and the file that they are kept in.
///
/// The file holds keys: its writer makes it readable for its owner only (0600).
struct BondTable: Hashable, Sendable {
    /// The number of bonds that are kept; the one that was made first makes room.
    static let limit = 64

    /// In the order in which they were made.
    private(set) var bonds: [Bond] = []

    init() {}

    /// The bond with the device that has this address now; changing addresses are resolved.
    func bond(with address: BluetoothAddress) -> Bond? {
        bonds.first { $0.peer == address } ?? bonds.first { $0.matches(address) }
    }

    /// Keeps a bond in the place of one with the same peer. Returns the one that had to make room.
    @discardableResult
    mutating func insert(_ bond: Bond) -> Bond? {
        bonds.removeAll { $0.peer == bond.peer }
        bonds.append(bond)
        return bonds.count > Self.limit ? bonds.removeFirst() : nil
    }

    /// Forgets the device that has this address now. Returns whether there was a bond with it.
    @discardableResult
    mutating func remove(_ address: BluetoothAddress) -> Bool {
        guard let bond = bond(with: address) else { return false }
        bonds.removeAll { $0.peer == bond.peer }
        return true
    }
}

// The file.
extension BondTable {
    /// Reads the bytes of a file; fails at the first field that makes no sense. Of two bonds with a peer the later one
    /// counts.
    init(decoding bytes: [UInt8]) throws(FrameError) {
        self.init()
        var file = File()
        var end = 0
        let failure = bytes.withUnsafeBytes { memory in
            var reader = FieldReader(memory)
            file.walk(&reader)
            end = reader.offset
            return reader.failure
        }
        if let failure { throw failure }
        guard file.magic == File.magic else {
            throw FrameError(field: "magic", offset: 0, reason: .invalid("is not that of a file with bonds"))
        }
        guard end == bytes.count else {
            throw FrameError(field: "bonds", offset: end, reason: .tooLong(count: bytes.count, limit: end))
        }
        for (index, record) in file.bonds.enumerated() {
            guard let bond = record.bond else {
                throw FrameError(
                    field: "bonds", offset: File.headerSize + index * Record.size,
                    reason: .invalid("has a level, key size or address that no bond has"))
            }
            insert(bond)
        }
    }

    /// The bytes of the file.
    var encoded: [UInt8] {
        var file = File()
        file.count = UInt8(bonds.count)
        file.bonds = bonds.map { Record($0) }
        var writer = FieldWriter(reserving: File.headerSize + bonds.count * Record.size)
        file.walk(&writer)
        return writer.output
    }

    private struct File: FieldGroup {
        /// "BOND" and the version of the format.
        static let magic = FixedBytes<5>([0x42, 0x4F, 0x4E, 0x44, 1])
        static let headerSize = 6

        var magic = File.magic
        var count: UInt8 = 0
        var bonds: [Record] = []

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("magic", &magic)
            w.u8("count", &count)
            w.list("bonds", &bonds, size: Record.size, count: Int(count))
        }
    }

    private struct Record: FieldGroup {
        static let size = 52

        var type: UInt8 = 0
        var address = FixedBytes<6>()
        var longTermKey = FixedBytes<16>()
        var diversifier: UInt16 = 0
        var random: UInt64 = 0
        var level: UInt8 = 0
        var keySize: UInt8 = 0
        var hasIdentityKey: UInt8 = 0
        var identityKey = FixedBytes<16>()

        init() {}

        init(_ bond: Bond) {
            type = bond.peer.isRandom ? 1 : 0
            address = FixedBytes(bond.peer.bytes.reversed())
            longTermKey = bond.longTermKey
            diversifier = bond.diversifier
            random = bond.random
            level = bond.level.rawValue
            keySize = bond.keySize
            hasIdentityKey = bond.identityKey == nil ? 0 : 1
            identityKey = bond.identityKey ?? FixedBytes()
        }

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("type", &type, in: 0...1)
            w.fixed("address", &address)
            w.fixed("ltk", &longTermKey)
            w.u16("ediv", &diversifier, unit: .hex)
            w.integer(Field("rand", unit: .hex), &random, in: nil)
            w.u8("level", &level, in: 2...4)
            w.u8("key_size", &keySize, in: 7...16)
            w.u8("has_irk", &hasIdentityKey, in: 0...1)
            w.fixed("irk", &identityKey)
        }

        var bond: Bond? {
            guard type <= 1, (7...16).contains(keySize), hasIdentityKey <= 1,
                let level = SecurityLevel(rawValue: level), level > .none
            else { return nil }
            return Bond(
                peer: BluetoothAddress(address, type: type), longTermKey: longTermKey, diversifier: diversifier,
                random: random, level: level, keySize: keySize, identityKey: hasIdentityKey == 1 ? identityKey : nil)
        }
    }
}

extension BondTable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bonds as they describe themselves, one a line.
    var description: String { bonds.map(\.description).joined(separator: "\n") }
    var debugDescription: String { description }
    /// Without the keys, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: ["bonds": bonds]) }
}
