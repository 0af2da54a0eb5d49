/// Reads the lines that follow `region load`, up to a blank one, and makes a new table of them.
///
/// A line counts when it has one to seven leading spaces, its level. It belongs under the last line one level up,
/// and its name ends at the first byte that no name has; an `F` anywhere behind that allows floods. A name that the
/// old table has keeps its id, and its old flags win over the line. All else is ignored. Source:
/// InfrastructureNodes, "Region commands" (INF-205); firmware, `handleCommand` of simple_repeater.
public struct RegionLoader: Hashable, Sendable {
    private let former: RegionTable
    private var table: RegionTable
    /// Ids of the last regions at each level; the wildcard is at level 0.
    private var parents: [UInt16?] = [0] + Array(repeating: nil, count: 7)

    /// Begins a load that will replace this table; numbers of new regions continue from its own.
    public init(replacing table: RegionTable) {
        former = table
        self.table = RegionTable(countingOnFrom: table)
    }

    /// Reads a line and answers nothing, or ends with the new table, which has neither home nor default region.
    ///
    /// The key that scopes the node's own floods stays in force. Un-scoped floods are allowed from now on.
    public mutating func take(_ line: [UInt8]) -> (table: RegionTable, reply: [UInt8])? {
        let line = line.prefix { $0 != 0 }
        let level = line.prefix { $0 == UInt8(ascii: " ") }.count
        guard level < line.count else {
            return (table, [UInt8]("OK - loaded \(table.regions.count) regions".utf8))
        }
        let name = line.dropFirst(level).prefix(while: Region.isNameByte)
        let rest = line.dropFirst(level + name.count + 1)
        guard level > 0, level < parents.count, !name.isEmpty, let parent = parents[level - 1] else { return nil }
        add(name, under: parent, level: level, allowsFlood: rest.contains(UInt8(ascii: "F")))
        return nil
    }

    private mutating func add(_ name: ArraySlice<UInt8>, under parent: UInt16, level: Int, allowsFlood: Bool) {
        let old = former.place(named: name).map { former[$0] }
        guard let place = table.put(name, under: parent, id: old?.id ?? 0) else { return }
        table.setFlags(old?.flags ?? (allowsFlood ? [] : .denyFlood), at: place)
        parents[level] = table[place].id
    }
}
