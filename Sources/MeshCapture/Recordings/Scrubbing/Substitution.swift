import MeshCrypto
import MeshWire

/// The replacement of a secret: as long as it, the same for the same secret and salt, and nothing that leads back.
///
/// Everything is cut from HMAC-SHA-256 over the secret, keyed with the salt. A salt that others know lets them try
/// guesses: a PIN has a million.
struct Substitution: Sendable {
    enum Kind: UInt8 {
        case key, pin, password, position, text, name, bytes
    }

    let salt: [UInt8]

    /// `count` bytes that follow from the original.
    func bytes(_ kind: Kind, _ original: some Collection<UInt8>, count: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count + 31)
        var block: UInt8 = 0
        while output.count < count {
            output += HMACSHA256.authenticate(key: salt, [kind.rawValue, block] + original).array
            block &+= 1
        }
        return [UInt8](output.prefix(count))
    }

    func number(_ kind: Kind, _ original: some Collection<UInt8>) -> UInt64 {
        bytes(kind, original, count: 8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Small letters, as many as the original has bytes. NULs at its end stay: they are padding.
    func letters(_ kind: Kind, _ original: some Collection<UInt8>) -> [UInt8] {
        let text = [UInt8](original)
        let end = (text.lastIndex { $0 != 0 } ?? -1) + 1
        let letters = bytes(kind, text[..<end], count: end).map { UInt8(ascii: "a") + $0 % 26 }
        return letters + text[end...]
    }

    /// Words: letters with a space here and there.
    func words(_ original: some Collection<UInt8>) -> [UInt8] {
        var words = letters(.text, original)
        let spaces = bytes(.bytes, original, count: words.count)
        for index in words.indices.dropFirst().dropLast() where spaces[index] < 40 && words[index] != 0 {
            words[index] = UInt8(ascii: " ")
        }
        return words
    }

    /// Six digits; 0, which is no PIN, stays.
    func pin(_ original: UInt32) -> UInt32 {
        guard original != 0 else { return 0 }
        return 100_000 + UInt32(number(.pin, original.littleEndianBytes) % 900_000)
    }

    /// A place that is one, in millionths of a degree; 0, 0, which is no place, stays.
    func position(_ latitude: Int32, _ longitude: Int32) -> (latitude: Int32, longitude: Int32) {
        guard latitude != 0 || longitude != 0 else { return (0, 0) }
        let drawn = number(.position, latitude.littleEndianBytes + longitude.littleEndianBytes)
        let north = Int32(drawn >> 32 & 0x7FFF_FFFF) % 80_000_000
        let east = Int32(drawn & 0x7FFF_FFFF) % 170_000_000
        return (drawn >> 63 == 0 ? north : -north, drawn & 0x8000_0000 == 0 ? east : -east)
    }

    /// A private key that passes for one: clamped, as Ed25519 wants it. It belongs to no public key of the recording.
    func privateKey(_ original: some Collection<UInt8>) -> [UInt8] {
        var key = bytes(.key, original, count: original.count)
        if key.count >= 32 {
            key[0] &= 248
            key[31] = key[31] & 63 | 64
        }
        return key
    }

    /// A channel's secret. That of the public channel, which is no secret, and zeros, which are none, stay.
    func channelSecret(_ original: some Collection<UInt8>) -> [UInt8] {
        if original.allSatisfy({ $0 == 0 }) || original.elementsEqual(Self.publicChannel) { return [UInt8](original) }
        return bytes(.key, original, count: original.count)
    }

    /// The secret of the channel that every companion radio has from the start.
    static let publicChannel: [UInt8] = [
        0x8B, 0x33, 0x87, 0xE9, 0xC5, 0xCD, 0xEA, 0x6A, 0xC9, 0xE5, 0xED, 0xBA, 0xA1, 0x15, 0xCD, 0x72,
    ]

    /// Other digits in the places of digits: a number that stays one, and below 78 where it has two digits.
    func digits(_ original: some Collection<UInt8>) -> [UInt8] {
        let drawn = bytes(.position, original, count: original.count)
        let isLong = original.prefix { $0 != UInt8(ascii: ".") }.count { Self.isDigit($0) } > 2
        var isFirst = true
        return zip(original, drawn).map { character, draw in
            guard Self.isDigit(character) else { return character }
            defer { isFirst = false }
            return isLong && isFirst ? UInt8(ascii: "1") : UInt8(ascii: "1") + draw % 7
        }
    }

    private static func isDigit(_ character: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= character }
}

extension FixedWidthInteger {
    /// The bytes as they travel.
    var littleEndianBytes: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}

extension ArraySlice<UInt8> {
    /// The number in these bytes, the lowest first.
    var littleEndianNumber: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
