/// The reason why a target could not do its part; not the radio's failure, unless a statement says so.
package enum TargetError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreachable(String)
    case linkLost(String)
    /// The connection to the rig around the radio has gone; nothing can be shown any more.
    case rigLost(String)
    /// The other radio, which takes part in the statement, has gone.
    case peerLost(String)
    /// The radio is not of the kind that the statement is about; says so in a whole phrase.
    case otherBoard(String)
    /// The statement asks for something that the target never promised.
    case unsupported(String)

    package var description: String {
        switch self {
        case .unreachable(let why): "cannot reach the radio: \(why)"
        case .linkLost(let why): "the link is gone: \(why)"
        case .rigLost(let why): "the rig is gone: \(why)"
        case .peerLost(let why): "the peer is gone: \(why)"
        case .otherBoard(let what): what
        case .unsupported(let what): "this target cannot \(what)"
        }
    }
}
