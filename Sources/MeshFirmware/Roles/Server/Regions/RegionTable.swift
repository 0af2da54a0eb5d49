public import MeshPacket
public import MeshWire

/// The regions that a server knows, as a tree under the wildcard `*`, and which of them may be flooded.
///
/// The tree is for people only: nothing is inherited. A region under one of its own parts disappears with that part
/// from the printed tree, as in the firmware. Edits live here until they are saved. Source: InfrastructureNodes,
/// "How replies travel" and "Region commands"; firmware, `RegionMap`.
public struct RegionTable: Hashable, Sendable {
    /// `MAX_REGION_ENTRIES`; the wildcard comes on top.
    public static let capacity = 32

    /// In the order in which they were added, which is the order in which the codes of floods are tried.
    public private(set) var regions: [Region] = [] {
        didSet { floodKeys = Self.keys(of: regions) }
    }
    /// The traffic that the wildcard refuses: un-scoped floods belong to it.
    public private(set) var wildcardFlags: RegionFlags = []
    /// The region of the node; 0, the wildcard, unless it was set. It may have been removed since.
    public private(set) var homeID: UInt16 = 0
    /// The region in which the node floods its own packets; 0 for none. It may have been removed since.
    public private(set) var defaultID: UInt16 = 0
    /// The id of the next new region.
    public private(set) var nextID: UInt16 = 1
    /// Keys of the regions that may be flooded, in table order, so that a packet costs no more than its codes.
    private var floodKeys: [FloodKey] = []

    private struct FloodKey: Hashable, Sendable {
        let id: UInt16
        let key: FixedBytes<16>
    }

    /// The table of a fresh node: un-scoped floods are allowed, and no region is known.
    public init() {}

    /// Restores stored regions, as many as fit; ids that the next one does not lie behind push it forward.
    init(regions: [Region], wildcardFlags: RegionFlags, homeID: UInt16, defaultID: UInt16, nextID: UInt16) {
        self.regions = [Region](regions.prefix(Self.capacity))
        self.wildcardFlags = wildcardFlags
        self.homeID = homeID
        self.defaultID = defaultID
        self.nextID = nextID
        for region in self.regions where region.id >= self.nextID { self.nextID = region.id &+ 1 }
        floodKeys = Self.keys(of: self.regions)
    }

    /// An empty table that continues the numbers of another one; a listing that replaces that one starts with it.
    init(countingOnFrom other: RegionTable) {
        nextID = other.nextID
    }

    private static func keys(of regions: [Region]) -> [FloodKey] {
        regions.compactMap { region in
            guard !region.flags.contains(.denyFlood) else { return nil }
            return region.key.map { FloodKey(id: region.id, key: $0) }
        }
    }
}

// MARK: Packets

extension RegionTable {
    /// The region of a received packet; `nil` for a flood that may not pass here, and for a packet that is not
    /// flooded.
    ///
    /// Only the first code counts. Source: InfrastructureNodes, "How replies travel".
    @inline(__always)
    public func match(_ packet: PacketView) -> RegionMatch? {
        switch packet.route {
        case .flood: allowsUnscopedFloods ? .wildcard : nil
        case .transportFlood: matchCode(of: packet)
        default: nil
        }
    }

    private func matchCode(of packet: PacketView) -> RegionMatch? {
        let code = packet.transportCodes?.region
        for scope in floodKeys where packet.transportCode(for: scope.key) == code {
            return .region(id: scope.id, key: scope.key)
        }
        return nil
    }

    /// True when floods without a scope may pass.
    public var allowsUnscopedFloods: Bool {
        get { !wildcardFlags.contains(.denyFlood) }
        set { setAllowsFlood(newValue, at: .wildcard) }
    }

    /// The key with which a node that boots now scopes its own floods; `nil` without a default region that has one.
    public var defaultKey: FixedBytes<16>? { defaultRegion?.key }
}

// MARK: Looking up

extension RegionTable {
    /// An entry, or the wildcard, which is none.
    enum Place: Hashable, Sendable {
        case wildcard
        case entry(Int)
    }

    /// The region at a place; the wildcard looks like a region of the name `*`.
    subscript(place: Place) -> Region {
        switch place {
        case .wildcard: Region(id: 0, parent: 0, flags: wildcardFlags, name: CollectionOfOne(UInt8(ascii: "*")))
        case .entry(let index): regions[index]
        }
    }

    /// The first region of this name; a leading `#` makes no difference (`findByName`).
    func place(named name: some Collection<UInt8>) -> Place? {
        if name.elementsEqual("*".utf8) { return .wildcard }
        let wanted = Region.withoutHash(name)
        return regions.firstIndex { $0.plainName.elementsEqual(wanted) }.map { .entry($0) }
    }

    /// The first region of this name, else the last one whose name begins with it (`findByNamePrefix`).
    func place(prefix name: some Collection<UInt8>) -> Place? {
        if let exact = place(named: name) { return exact }
        let wanted = Region.withoutHash(name)
        return regions.lastIndex { $0.plainName.starts(with: wanted) }.map { .entry($0) }
    }

    func place(id: UInt16) -> Place? {
        id == 0 ? .wildcard : regions.firstIndex { $0.id == id }.map { .entry($0) }
    }

    /// The region of this name, `*` being the wildcard.
    public func region(named name: ByteText) -> Region? { place(named: name.bytes).map { self[$0] } }

    /// The region of this id, 0 being the wildcard.
    public func region(id: UInt16) -> Region? { place(id: id).map { self[$0] } }

    /// The region of the node: the wildcard unless it was set, `nil` when it has been removed.
    public var homeRegion: Region? { region(id: homeID) }

    /// The region of the node's own floods; `nil` when none was set or it has been removed.
    public var defaultRegion: Region? { defaultID == 0 ? nil : region(id: defaultID) }
}

// MARK: Changing

extension RegionTable {
    /// Adds a region that denies floods, or moves the one of this name; `nil` when that cannot be.
    ///
    /// A name with a bad byte, a full table and a region as its own parent are refused. `id` is that of a region of the
    /// same name in a table which this one replaces, 0 for a new one. Source: `putRegion`. The firmware does not look
    /// whether there is room for a region that brings its id, and writes it over the wildcard.
    mutating func put(_ name: some Collection<UInt8>, under parent: UInt16, id: UInt16 = 0) -> Place? {
        guard name.allSatisfy(Region.isNameByte) else { return nil }
        if case .entry(let index)? = place(named: name) {
            guard regions[index].id != parent else { return nil }
            regions[index].parent = parent
            return .entry(index)
        }
        guard regions.count < Self.capacity else { return nil }
        regions.append(Region(id: id == 0 ? nextID : id, parent: parent, flags: .denyFlood, name: name))
        if id == 0 { nextID &+= 1 }
        return .entry(regions.count - 1)
    }

    /// Removes a region; `false` for the wildcard and for a region that has parts. Home and default stay as they
    /// are.
    mutating func remove(_ place: Place) -> Bool {
        let id = self[place].id
        guard id != 0, !regions.contains(where: { $0.parent == id }),
            let index = regions.firstIndex(where: { $0.id == id })
        else { return false }
        regions.remove(at: index)
        return true
    }

    mutating func setAllowsFlood(_ allows: Bool, at place: Place) {
        var flags = self[place].flags
        if allows { flags.remove(.denyFlood) } else { flags.insert(.denyFlood) }
        setFlags(flags, at: place)
    }

    mutating func setFlags(_ flags: RegionFlags, at place: Place) {
        switch place {
        case .wildcard: wildcardFlags = flags
        case .entry(let index): regions[index].flags = flags
        }
    }

    mutating func setHome(_ place: Place) { homeID = self[place].id }

    mutating func setDefault(_ place: Place?) { defaultID = place.map { self[$0].id } ?? 0 }

    /// Adds a region under another one, or moves it there, and sets whether it may be flooded.
    ///
    /// `false` when the parent is unknown, the table is full, or the region is its own parent. The same goes for a
    /// name that is invalid or longer than 30 bytes.
    @discardableResult
    public mutating func put(_ name: ByteText, under parent: ByteText = "*", allowsFlood: Bool = true) -> Bool {
        guard !name.isEmpty, name.count <= Region.longestName, let parent = region(named: parent),
            let place = put(name.bytes, under: parent.id)
        else { return false }
        setAllowsFlood(allowsFlood, at: place)
        return true
    }
}
