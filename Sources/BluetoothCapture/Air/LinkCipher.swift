import MeshCrypto
import MeshWire

/// Seals and opens the packets of an encrypted link: AES in CCM mode with a check of four bytes.
///
/// Source: Bluetooth Core, Vol 6 Part E, 2.1 and 2.2. A packet's nonce is its counter of 39 bits, a bit for the
/// direction, and the eight bytes that both sides drew. The check also covers its header without NESN, SN and MD.
struct LinkCipher: Sendable {
    /// Bytes of the message integrity code (MIC) behind an encrypted payload.
    static let checkSize = 4
    /// The bits of a header's first byte that the check covers.
    static let coveredHeaderBits: UInt8 = 0xE3

    private let key: FixedBytes<16>
    /// As on the air: the central's half first, each lowest byte first.
    private let nonce: (central: UInt32, peripheral: UInt32)

    /// The cipher of a session.
    ///
    /// - Parameters:
    ///   - longTermKey: Most significant byte first.
    ///   - keyHalves: SKDm and SKDs as numbers.
    ///   - nonceHalves: IVm and IVs as numbers.
    init(
        longTermKey: FixedBytes<16>, keyHalves: (central: UInt64, peripheral: UInt64),
        nonceHalves: (central: UInt32, peripheral: UInt32)
    ) {
        var diversifier = FixedBytes<16>()
        for index in 0..<8 {
            diversifier[7 - index] = UInt8(truncatingIfNeeded: keyHalves.peripheral >> UInt64(index * 8))
            diversifier[15 - index] = UInt8(truncatingIfNeeded: keyHalves.central >> UInt64(index * 8))
        }
        key = AES128Block.encrypt(diversifier, key: longTermKey)
        nonce = nonceHalves
    }

    /// The session's key, most significant byte first.
    var sessionKey: FixedBytes<16> { key }

    /// The sealed bytes and the check behind them.
    func seal(
        _ bytes: [UInt8], header: UInt8, counter: UInt64, _ side: LinkSide
    ) -> [UInt8] {
        var sealed = bytes
        let check = check(of: bytes, header, counter, side)
        applyStream(to: &sealed, counter, side)
        return sealed + check
    }

    /// Opens the bytes in `sealed` with their check, in place; `false`, and nothing changed, when the check fails.
    func open(
        _ sealed: inout [UInt8], header: UInt8, counter: UInt64, _ side: LinkSide
    ) -> Bool {
        guard sealed.count >= Self.checkSize else { return false }
        let given = (0..<Self.checkSize).map { sealed[sealed.count - Self.checkSize + $0] }
        sealed.removeLast(Self.checkSize)
        applyStream(to: &sealed, counter, side)
        if check(of: sealed, header, counter, side) == given { return true }
        applyStream(to: &sealed, counter, side)
        sealed += given
        return false
    }

    /// Adds the key stream; twice is nothing.
    private func applyStream(to bytes: inout [UInt8], _ counter: UInt64, _ side: LinkSide) {
        var number: UInt16 = 0
        var offset = 0
        while offset < bytes.count {
            number += 1
            let stream = AES128Block.encrypt(block(flags: 0x01, counter, side, number), key: key)
            for index in 0..<min(16, bytes.count - offset) { bytes[offset + index] ^= stream[index] }
            offset += 16
        }
    }

    private func check(
        of bytes: [UInt8], _ header: UInt8, _ counter: UInt64, _ side: LinkSide
    ) -> [UInt8] {
        // Flags: something is covered besides, the check has 4 bytes, the length 2.
        var state = AES128Block.encrypt(block(flags: 0x49, counter, side, UInt16(clamping: bytes.count)), key: key)
        state[1] ^= 1
        state[2] ^= header & Self.coveredHeaderBits
        state = AES128Block.encrypt(state, key: key)
        var offset = 0
        while offset < bytes.count {
            for index in 0..<min(16, bytes.count - offset) { state[index] ^= bytes[offset + index] }
            state = AES128Block.encrypt(state, key: key)
            offset += 16
        }
        let stream = AES128Block.encrypt(block(flags: 0x01, counter, side, 0), key: key)
        return (0..<Self.checkSize).map { state[$0] ^ stream[$0] }
    }

    /// Flags, the nonce, and a number of two bytes.
    private func block(
        flags: UInt8, _ counter: UInt64, _ side: LinkSide, _ number: UInt16
    ) -> FixedBytes<16> {
        var block = FixedBytes<16>()
        block[0] = flags
        for index in 0..<5 { block[1 + index] = UInt8(truncatingIfNeeded: counter >> UInt64(index * 8)) }
        block[5] = block[5] & 0x7F | (side == .central ? 0x80 : 0)
        for index in 0..<4 {
            block[6 + index] = UInt8(truncatingIfNeeded: nonce.central >> UInt32(index * 8))
            block[10 + index] = UInt8(truncatingIfNeeded: nonce.peripheral >> UInt32(index * 8))
        }
        block[14] = UInt8(truncatingIfNeeded: number >> 8)
        block[15] = UInt8(truncatingIfNeeded: number)
        return block
    }
}
