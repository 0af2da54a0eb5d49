public import MeshWire

/// AES-128 of one block: what modes and key functions of other protocols are made of.
public enum AES128Block {
    /// Key and blocks with the most significant byte first, as FIPS 197 writes them.
    public static func encrypt(_ block: FixedBytes<16>, key: FixedBytes<16>) -> FixedBytes<16> {
        .filled { output in
            key.withPointer { key in
                block.withPointer { AES128.encrypt(key: key, $0, output, count: AES128.blockSize) }
            }
        }
    }
}
