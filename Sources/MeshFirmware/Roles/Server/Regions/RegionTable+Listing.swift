// The table as people and requests read it. Source: InfrastructureNodes, "Region commands"; firmware, `exportTo`,
// `exportNamesTo`.
extension RegionTable {
    /// The size of the firmware's buffer for an answer of the command line, final NUL included.
    public static let answerSize = 160

    /// The tree: a line per region, a space per level, `^` behind the home region, ` F` where floods are allowed.
    ///
    /// What does not fit `size` bytes with a final NUL is cut off. Regions that hang under a part of their own, and
    /// under nothing else, are not in it.
    public func tree(within size: Int = answerSize) -> [UInt8] {
        var text: [UInt8] = []
        appendTree(of: self[.wildcard], level: 0, within: size, to: &text)
        return [UInt8](text.prefix(max(0, size - 1)))
    }

    /// Every line needs a byte at least, so that even a ring of regions ends.
    private func appendTree(of region: Region, level: Int, within size: Int, to text: inout [UInt8]) {
        guard text.count < size else { return }
        text += repeatElement(UInt8(ascii: " "), count: level)
        text += region.plainName
        if region.id == homeID { text.append(UInt8(ascii: "^")) }
        if !region.flags.contains(.denyFlood) { text += " F".utf8 }
        text.append(UInt8(ascii: "\n"))
        for part in regions where part.parent == region.id {
            appendTree(of: part, level: level + 1, within: size, to: &text)
        }
    }

    /// Names of the regions that allow floods, or of those that deny them, separated by commas; `*` comes first.
    ///
    /// `size` is that of the firmware's buffer, of which three bytes always stay free. A name that does not fit is left
    /// out, and a shorter one behind it may still be in.
    public func names(allowingFloods allowing: Bool = true, within size: Int = answerSize) -> [UInt8] {
        var text: [UInt8] = []
        if wildcardFlags.contains(.denyFlood) != allowing { text += "*,".utf8 }
        for region in regions where region.flags.contains(.denyFlood) != allowing {
            let name = region.plainName
            guard text.count + name.count + 2 < size else { continue }
            text += name
            text.append(UInt8(ascii: ","))
        }
        return text.dropLast()
    }
}
