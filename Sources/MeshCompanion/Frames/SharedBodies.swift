public import MeshWire

/// A frame that is its code alone.
public protocol BareFrame: CodedFrame {}

extension BareFrame {
    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {}
}

/// A frame whose only field is the key of a node.
public protocol KeyFrame: CodedFrame {
    /// The key of the node.
    var publicKey: FixedBytes<32> { get set }
}

extension KeyFrame {
    @inlinable
    public init(publicKey: FixedBytes<32>) {
        self.init()
        self.publicKey = publicKey
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("public_key", &publicKey)
    }
}
