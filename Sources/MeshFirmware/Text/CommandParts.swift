/// The parts of a text between separators, as the command line splits it.
///
/// There are no empty parts at the end, and the text behind the last requested part is ignored. Source:
/// `Utils::parseTextParts`.
enum CommandParts {
    static func split(
        _ text: some Collection<UInt8>, most: Int, separator: UInt8 = UInt8(ascii: ",")
    ) -> [ArraySlice<UInt8>] {
        var rest = [UInt8](text)[...]
        var parts: [ArraySlice<UInt8>] = []
        while !rest.isEmpty, parts.count < most {
            let part = rest.prefix { $0 != separator }
            parts.append(part)
            rest = rest.dropFirst(part.count + 1)
        }
        return parts
    }
}
