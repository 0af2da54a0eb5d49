import MeshWire

/// The head of `/regions2`: 10 bytes.
private struct StoredRegionHead: FieldGroup {
    static let size = 10

    var defaultID: UInt16 = 0
    var homeID: UInt16 = 0
    var wildcardFlags: UInt8 = 0
    var nextID: UInt16 = 1

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        var reserved = FixedBytes<3>()
        w.fixed("reserved", &reserved)
        w.u16("default_id", &defaultID)
        w.u16("home_id", &homeID)
        w.u8("wildcard.flags", &wildcardFlags, unit: .hex)
        w.u16("next_id", &nextID)
    }
}

/// One region in `/regions2`: 164 bytes.
private struct StoredRegion: FieldGroup {
    static let size = 164

    var id: UInt16 = 0
    var parent: UInt16 = 0
    var name = FixedBytes<31>()
    var flags: UInt8 = 0

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        var unused = FixedBytes<128>()
        w.u16("id", &id)
        w.u16("parent", &parent)
        w.text("name", &name)
        w.u8("flags", &flags, unit: .hex)
        w.fixed("unused", &unused)
    }

    var region: Region { Region(id: id, parent: parent, flags: RegionFlags(rawValue: flags), name: name.text.bytes) }
}

// InfrastructureNodes, "Files and preferences"; firmware, `RegionMap::load` and `save`.
extension RegionTable {
    /// The path at which it is stored.
    public static let path = "/regions2"

    /// Makes the table that a node reads from stored bytes: all before the first fault, unchecked.
    public init(stored bytes: [UInt8]) {
        let (head, _) = Self.head(of: bytes)
        self.init(
            regions: Self.stored(in: bytes).map(\.region), wildcardFlags: RegionFlags(rawValue: head.wildcardFlags),
            homeID: head.homeID, defaultID: head.defaultID, nextID: head.nextID)
    }

    /// The table as it is stored.
    public func stored() -> [UInt8] {
        var writer = FieldWriter(reserving: StoredRegionHead.size + regions.count * StoredRegion.size)
        var head = StoredRegionHead(
            defaultID: defaultID, homeID: homeID, wildcardFlags: wildcardFlags.rawValue, nextID: nextID)
        head.walk(&writer)
        for region in regions {
            var record = StoredRegion(
                id: region.id, parent: region.parent, name: FixedBytes(text: region.name), flags: region.flags.rawValue)
            record.walk(&writer)
        }
        return writer.output
    }

    /// Throws the first fault of a stored table that no node can have written.
    ///
    /// A node that boots from such a file reads as much of it as possible. Regions that lie in a ring are no fault:
    /// commands can cause that.
    public static func validate(_ bytes: [UInt8]) throws(StorageError) {
        if let failure = head(of: bytes).failure { throw fault("\(failure.field)", "\(failure.reason)") }
        let records = stored(in: bytes)
        guard bytes.count == StoredRegionHead.size + records.count * StoredRegion.size else {
            let rest = bytes.count - StoredRegionHead.size - records.count * StoredRegion.size
            throw fault("region \(records.count)", "\(rest) bytes behind the last one")
        }
        for (index, record) in records.enumerated() {
            if let (field, reason) = judge(record, index, among: records) {
                throw fault("region \(index), \(field)", reason)
            }
        }
    }

    private static func judge(
        _ record: StoredRegion, _ index: Int, among records: [StoredRegion]
    ) -> (field: String, reason: String)? {
        if record.id == 0 { return ("id", "is that of the wildcard") }
        if records[..<index].contains(where: { $0.id == record.id }) { return ("id", "\(record.id) is there twice") }
        if record.parent != 0, !records.contains(where: { $0.id == record.parent }) {
            return ("parent", "there is no region \(record.parent)")
        }
        let name = record.name.text
        if name.count > Region.longestName { return ("name", "has no end") }
        if !name.bytes.allSatisfy(Region.isNameByte) { return ("name", "\(name) is no name") }
        return nil
    }

    private static func fault(_ field: String, _ reason: String) -> StorageError {
        StorageError(file: path, field: field, reason: reason)
    }

    private static func head(of bytes: [UInt8]) -> (StoredRegionHead, failure: FrameError?) {
        var head = StoredRegionHead()
        let failure = bytes.withUnsafeBytes { memory in
            var reader = FieldReader(memory)
            head.walk(&reader)
            return reader.failure
        }
        return (head, failure)
    }

    private static func stored(in bytes: [UInt8]) -> [StoredRegion] {
        let longest = capacity * StoredRegion.size
        return records(
            in: [UInt8](bytes.dropFirst(StoredRegionHead.size).prefix(longest)), size: StoredRegion.size,
            as: StoredRegion.self)
    }
}
