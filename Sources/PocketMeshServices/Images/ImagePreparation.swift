public import FoundationEssentials

/// Makes a picture small enough for the mesh.
public struct ImagePreparation: Sendable {
    private let policy: ImagePolicy
    private let codec: (any ImageCodec)?

    /// Prepares by a policy; without a codec nothing can be prepared.
    public init(policy: ImagePolicy = ImagePolicy(), codec: (any ImageCodec)?) {
        self.policy = policy
        self.codec = codec
    }

    /// The most bytes that a prepared picture has.
    public var limit: Int { policy.maxPreparedChunks * ImageChunk.standardSize }

    /// A JPEG of at most `limit` bytes that fits in the square, with the best quality that makes it so.
    ///
    /// Without a codec a JPEG that is small enough is used as it is. Throws a `StackError`.
    public func prepare(_ data: Data) throws(StackError) -> Data {
        guard let codec else { return try ready(data) }
        guard let picture = try? codec.decode(data) else { throw StackError(.pictures, .imageDecodeFailed) }
        let fitted = picture.fitted(in: policy.side)
        var smallest = Int.max
        for quality in policy.qualities {
            guard let encoded = try? codec.encode(fitted, quality: quality), PictureFormat.isJPEG(encoded) else {
                throw StackError(.pictures, .imageDecodeFailed)
            }
            if encoded.count <= limit { return encoded }
            smallest = min(smallest, encoded.count)
        }
        throw tooLarge(smallest)
    }

    private func ready(_ data: Data) throws(StackError) -> Data {
        guard PictureFormat.isJPEG(data) else { throw StackError(.pictures, .noCodec) }
        guard data.count <= limit else { throw tooLarge(data.count) }
        return data
    }

    private func tooLarge(_ count: Int) -> StackError {
        let chunks = OutgoingImage.count(of: count, chunkBytes: ImageChunk.standardSize)
        return StackError(.pictures, .tooManyChunks(count: chunks, limit: policy.maxPreparedChunks))
    }
}
