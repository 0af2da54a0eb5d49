import CLibCrypto
import Synchronization

/// AES-128 on whole blocks, each on its own (ECB), with the library's contexts kept from call to call.
///
/// A new context costs more than the work on a long message, 0.4 µs against 0.2, so one pair is kept for the
/// process. A thread that finds it in use makes its own. No thread waits, and the bytes do not depend on the pair
/// that did the work.
///
/// Sendable although the compiler cannot see it: a pair has one owner, and the kept one is reached through its lock
/// only.
struct AES128: ~Copyable, @unchecked Sendable {
    static let blockSize = 16

    private let encryption: OpaquePointer
    private let decryption: OpaquePointer

    private init() {
        encryption = Self.context(encrypting: true)
        decryption = Self.context(encrypting: false)
    }

    deinit {
        EVP_CIPHER_CTX_free(encryption)
        EVP_CIPHER_CTX_free(decryption)
    }

    private static let kept = Mutex(AES128())

    /// Encrypts `count` bytes, a multiple of the block size, from `input` to `output`; they may be the same.
    static func encrypt(
        key: UnsafePointer<UInt8>, _ input: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let done: Void? = kept.withLockIfAvailable { $0.run(.encryption, key, input, output, count) }
        if done == nil { AES128().run(.encryption, key, input, output, count) }
    }

    /// Decrypts `count` bytes, a multiple of the block size, from `input` to `output`; they may be the same.
    static func decrypt(
        key: UnsafePointer<UInt8>, _ input: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let done: Void? = kept.withLockIfAvailable { $0.run(.decryption, key, input, output, count) }
        if done == nil { AES128().run(.decryption, key, input, output, count) }
    }

    private static func context(encrypting: Bool) -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher context") }
        let started = EVP_CipherInit_ex(context, EVP_aes_128_ecb(), nil, nil, nil, encrypting ? 1 : 0)
        precondition(started == 1, "libcrypto has no AES-128-ECB")
        return context
    }

    private enum Direction { case encryption, decryption }

    private borrowing func run(
        _ direction: Direction, _ key: UnsafePointer<UInt8>, _ input: UnsafePointer<UInt8>,
        _ output: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        guard count > 0 else { return }
        // A context taken out of the pair does not keep the pair alive.
        defer { extendLifetime(self) }
        let context = direction == .encryption ? encryption : decryption
        var written: Int32 = 0
        // -1 leaves the direction as it is; giving a key resets everything but that.
        let ready =
            EVP_CipherInit_ex(context, nil, nil, key, nil, -1) == 1
            && EVP_CIPHER_CTX_set_padding(context, 0) == 1
            && EVP_CipherUpdate(context, output, &written, input, Int32(count)) == 1
        precondition(ready && written == Int32(count), "AES on whole blocks cannot fail")
    }
}
