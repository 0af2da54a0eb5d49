public import MeshWire

/// The sealing of payloads: two bytes of HMAC-SHA-256 over AES-128-ECB, both keyed by the shared or channel secret.
///
/// The cipher uses the first 16 bytes of the secret, the MAC all 32. The plaintext is padded with zeros to whole
/// blocks and its length is not kept: the receiver of a blob sees the padding. Source: OverTheAir, "Sealing"
/// (OTA-012).
public enum Sealing {
    /// Length of the code before the sealed blocks, in bytes.
    public static let macSize = 2
    /// Length of a block, in bytes: plaintexts are filled with zeros to a multiple of it.
    public static let blockSize = AES128.blockSize

    /// Returns the number of bytes that a plaintext of `count` bytes becomes.
    public static func sealedSize(of count: Int) -> Int {
        macSize + (count + blockSize - 1) / blockSize * blockSize
    }

    /// Writes MAC and ciphertext to the start of `output`, which must have room for `sealedSize(of:)`; returns that
    /// size.
    ///
    /// `plaintext` must not overlap `output`.
    @discardableResult
    public static func seal(
        _ plaintext: UnsafeRawBufferPointer, secret: SharedSecret, into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        let size = sealedSize(of: plaintext.count)
        precondition(output.count >= size, "no room for the sealed bytes")
        let ciphertext = UnsafeMutableRawBufferPointer(rebasing: output[macSize..<size])
        ciphertext.copyMemory(from: plaintext)
        for index in plaintext.count..<ciphertext.count { ciphertext[index] = 0 }
        secret.withPointer { key in
            AES128.encrypt(
                key: key, UnsafeRawBufferPointer(ciphertext).start, ciphertext.start, count: ciphertext.count)
        }
        let mac = HMACSHA256.authenticate(key: secret, UnsafeRawBufferPointer(ciphertext))
        output[0] = mac[0]
        output[1] = mac[1]
        return size
    }

    /// Writes the padded plaintext to the start of `output` and returns its size, or `nil` when the blob is not ours.
    ///
    /// The MAC is checked first. A ciphertext that is not whole blocks is refused after that: the firmware would
    /// decrypt whatever follows it in memory. `output` must have room for `blob.count - macSize` bytes.
    public static func open(
        _ blob: UnsafeRawBufferPointer, secret: SharedSecret, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard verify(blob, secret: secret) else { return nil }
        let ciphertext = UnsafeRawBufferPointer(rebasing: blob[macSize...])
        guard ciphertext.count.isMultiple(of: blockSize) else { return nil }
        precondition(output.count >= ciphertext.count, "no room for the plaintext")
        secret.withPointer { key in
            AES128.decrypt(key: key, ciphertext.start, output.start, count: ciphertext.count)
        }
        return ciphertext.count
    }

    /// Returns whether the blob has its shortest length (three bytes) and the MAC that `secret` gives it.
    public static func verify(_ blob: UnsafeRawBufferPointer, secret: SharedSecret) -> Bool {
        guard blob.count > macSize else { return false }
        let ciphertext = UnsafeRawBufferPointer(rebasing: blob[macSize...])
        let mac = HMACSHA256.authenticate(key: secret, ciphertext)
        return mac[0] == blob[0] && mac[1] == blob[1]
    }
}

extension Sealing {
    /// Appends MAC and ciphertext to `output`.
    public static func seal(_ plaintext: UnsafeRawBufferPointer, secret: SharedSecret, into output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: sealedSize(of: plaintext.count)))
        output.withUnsafeMutableBytes { memory in
            _ = seal(plaintext, secret: secret, into: UnsafeMutableRawBufferPointer(rebasing: memory[start...]))
        }
    }

    /// The sealed form of `plaintext`.
    public static func seal(_ plaintext: [UInt8], secret: SharedSecret) -> [UInt8] {
        var blob: [UInt8] = []
        plaintext.withUnsafeBytes { seal($0, secret: secret, into: &blob) }
        return blob
    }

    /// Replaces `output` by the padded plaintext; leaves it alone and returns `false` when the blob is not ours.
    public static func open(
        _ blob: UnsafeRawBufferPointer, secret: SharedSecret, into output: inout [UInt8]
    ) -> Bool {
        guard verify(blob, secret: secret) else { return false }
        let ciphertext = UnsafeRawBufferPointer(rebasing: blob[macSize...])
        guard ciphertext.count.isMultiple(of: blockSize) else { return false }
        output.removeAll(keepingCapacity: true)
        output.append(contentsOf: ciphertext)
        output.withUnsafeMutableBytes { memory in
            secret.withPointer { key in
                AES128.decrypt(key: key, UnsafeRawBufferPointer(memory).start, memory.start, count: memory.count)
            }
        }
        return true
    }

    /// The padded plaintext, or `nil` when the blob is not ours.
    public static func open(_ blob: [UInt8], secret: SharedSecret) -> [UInt8]? {
        var plaintext: [UInt8] = []
        return blob.withUnsafeBytes { open($0, secret: secret, into: &plaintext) } ? plaintext : nil
    }
}
