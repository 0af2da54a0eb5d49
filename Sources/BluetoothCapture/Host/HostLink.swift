import MeshBluetoothHost

/// One connection as the host sees it: its handle at one adapter, and the fragments of both directions.
struct HostLink {
    let adapter: UInt16
    let handle: UInt16
    /// The key of the connection; `nil` until something shows that it is one of low energy.
    var connection: Int?
    /// A classic link, whose packets are not read here.
    var isClassic = false
    /// The side that the logging host is.
    var host = LinkSide.central
    var isEncrypted = false
    private var sent = L2CAP.Assembler()
    private var received = L2CAP.Assembler()
    /// The number of continuations without a beginning that are not reported yet.
    var orphans = 0
    /// Packets of the adapter when it was last used.
    var lastUse = 0

    init(adapter: UInt16, handle: UInt16) {
        self.adapter = adapter
        self.handle = handle
    }

    /// A packet of either direction lacks its end.
    var isPending: Bool { sent.isPending || received.isPending }

    /// Forgets pending fragments.
    mutating func reset() {
        sent.reset()
        received.reset()
    }

    /// The packets of one direction.
    subscript(way: HostWay) -> L2CAP.Assembler {
        get { way == .sent ? sent : received }
        _modify {
            switch way {
            case .sent: yield &sent
            case .received: yield &received
            }
        }
    }

    /// The side that sends what goes this way.
    func side(_ way: HostWay) -> LinkSide { way == .sent ? host : host.other }
}

/// The connections of all adapters that are open, within a bound.
struct HostLinks {
    private(set) var links: [HostLink] = []
    private var lastFound = 0
    private var clock = 0

    /// Controllers hold a handful; more are the work of a damaged capture.
    static let limit = 64

    func index(_ adapter: UInt16, _ handle: UInt16) -> Int? {
        if lastFound < links.count, links[lastFound].handle == handle, links[lastFound].adapter == adapter {
            return lastFound
        }
        return links.firstIndex { $0.handle == handle && $0.adapter == adapter }
    }

    /// The link, made if there is none. The one that was not used for the longest time has to go for it.
    mutating func open(_ adapter: UInt16, _ handle: UInt16) -> (index: Int, evicted: HostLink?) {
        clock += 1
        if let index = index(adapter, handle) {
            lastFound = index
            links[index].lastUse = clock
            return (index, nil)
        }
        var evicted: HostLink?
        if links.count == Self.limit, let oldest = links.indices.min(by: { links[$0].lastUse < links[$1].lastUse }) {
            evicted = links.remove(at: oldest)
        }
        links.append(HostLink(adapter: adapter, handle: handle))
        lastFound = links.count - 1
        links[lastFound].lastUse = clock
        return (lastFound, evicted)
    }

    mutating func remove(_ adapter: UInt16, _ handle: UInt16) -> HostLink? {
        index(adapter, handle).map { links.remove(at: $0) }
    }

    /// Removes and returns all links of an adapter.
    mutating func removeAll(_ adapter: UInt16) -> [HostLink] {
        let gone = links.filter { $0.adapter == adapter }
        links.removeAll { $0.adapter == adapter }
        return gone
    }

    subscript(index: Int) -> HostLink {
        get { links[index] }
        _modify { yield &links[index] }
    }
}
