/// The handles of the radios that were seen, for connections on which they are not discovered again.
struct HandleMemory {
    private struct Known {
        var peer: PeerIdentity?
        var handles: NordicHandles
    }

    private var known: [Known] = []

    /// The number of radios that are remembered; the one that was learned first is forgotten.
    private static let limit = 256

    func handles(of peer: PeerIdentity?) -> NordicHandles? {
        guard let peer else { return nil }
        return known.last { $0.peer == peer }?.handles
    }

    /// The handles of all radios so far, if they have the same.
    var only: NordicHandles? {
        guard let first = known.first?.handles else { return nil }
        return known.allSatisfy { $0.handles.rx == first.rx && $0.handles.tx == first.tx } ? first : nil
    }

    mutating func remember(_ handles: NordicHandles, of peer: PeerIdentity?) {
        known.removeAll { $0.peer == peer }
        known.append(Known(peer: peer, handles: handles))
        if known.count > Self.limit { known.removeFirst() }
    }
}
