import MeshWire

// The C libraries want an address even where there is nothing to read; an empty buffer has none to give.

extension UnsafeRawBufferPointer {
    var start: UnsafePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? ("" as StaticString).utf8Start
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Must not be written through when the buffer is empty.
    var start: UnsafeMutablePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self)
            ?? UnsafeMutablePointer(mutating: ("" as StaticString).utf8Start)
    }
}

extension FixedBytes {
    func withPointer<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
        withUnsafeBytes { body($0.start) }
    }

    /// Zero bytes that `fill` may overwrite.
    static func filled(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> Self {
        var bytes = Self()
        bytes.withUnsafeMutableBytes { fill($0.start) }
        return bytes
    }
}
