public import MeshPacket

extension PathLength {
    /// The number of path bytes after the length in a frame: none for "unknown" and for lengths that no path can
    /// have.
    ///
    /// A radio must be able to read such a length in order to refuse it.
    @inlinable public var bytesThatFollow: Int { isValid ? byteCount : 0 }
}
