import CLibCrypto
public import MeshWire

/// AES-256 in Galois/counter mode: seals bytes so that a change of them, or of their associated data, is noticed.
///
/// For data on disk. A nonce must never be used twice with one key: it comes from the caller, who draws it. Source:
/// NIST SP 800-38D; the tag has 16 bytes, the nonce 12.
public enum AES256GCM {
    /// Length of the tag behind the sealed bytes, in bytes.
    public static let tagSize = 16

    /// The sealed bytes, followed by the tag.
    public static func seal(
        _ plaintext: [UInt8], key: FixedBytes<32>, nonce: FixedBytes<12>, authenticating: [UInt8] = []
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: plaintext.count + tagSize)
        let isDone = withContext(encrypting: true, key, nonce) { context in
            var written: Int32 = 0
            guard update(context, nil, &written, authenticating), update(context, &output, &written, plaintext),
                EVP_CipherFinal_ex(context, nil, &written) == 1
            else { return false }
            return output.withUnsafeMutableBytes { memory in
                let tag = UnsafeMutableRawBufferPointer(rebasing: memory.suffix(tagSize))
                return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), tag.baseAddress) == 1
            }
        }
        precondition(isDone, "AES-GCM with a key and a nonce of its sizes cannot fail")
        return output
    }

    /// The plaintext, or nil when key, nonce, bytes or associated data are not those of the sealing.
    public static func open(
        _ sealed: [UInt8], key: FixedBytes<32>, nonce: FixedBytes<12>, authenticating: [UInt8] = []
    ) -> [UInt8]? {
        guard sealed.count >= tagSize else { return nil }
        let ciphertext = [UInt8](sealed.dropLast(tagSize))
        var tag = [UInt8](sealed.suffix(tagSize))
        var output = [UInt8](repeating: 0, count: ciphertext.count)
        let isGenuine = withContext(encrypting: false, key, nonce) { context in
            var written: Int32 = 0
            return update(context, nil, &written, authenticating) && update(context, &output, &written, ciphertext)
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1
                && EVP_CipherFinal_ex(context, nil, &written) == 1
        }
        return isGenuine ? output : nil
    }

    private static func withContext(
        encrypting: Bool, _ key: FixedBytes<32>, _ nonce: FixedBytes<12>, _ body: (OpaquePointer) -> Bool
    ) -> Bool {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher context") }
        defer { EVP_CIPHER_CTX_free(context) }
        let isReady = key.withUnsafeBytes { key in
            nonce.withUnsafeBytes { nonce in
                EVP_CipherInit_ex(
                    context, EVP_aes_256_gcm(), nil, key.assumingMemoryBound(to: UInt8.self).baseAddress,
                    nonce.assumingMemoryBound(to: UInt8.self).baseAddress, encrypting ? 1 : 0) == 1
            }
        }
        precondition(isReady, "libcrypto has no AES-256-GCM")
        return body(context)
    }

    /// One step of the work; none for no bytes, which the library would treat as the end.
    private static func update(
        _ context: OpaquePointer, _ output: UnsafeMutablePointer<UInt8>?, _ written: inout Int32, _ input: [UInt8]
    ) -> Bool {
        input.isEmpty || EVP_CipherUpdate(context, output, &written, input, Int32(input.count)) == 1
    }
}
