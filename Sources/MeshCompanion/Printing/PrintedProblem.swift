package import MeshWire

/// The place where the walk through a frame or packet stops, for output in JSON.
package struct PrintedProblem: Encodable, Sendable {
    private let field: String
    private let offset: Int
    private let reason: String

    package init(_ error: FrameError) {
        field = error.field
        offset = error.offset
        reason = error.description
    }
}
