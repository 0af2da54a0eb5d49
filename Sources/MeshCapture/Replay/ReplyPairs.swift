import MeshCompanion

/// The frames of two answers, side by side: contacts by their keys, whatever their order, all others as they came.
struct ReplyPairs {
    private(set) var pairs: [(recorded: ReplayScript.Frame?, seen: [UInt8]?)] = []

    init(recorded: [ReplayScript.Frame], seen: [[UInt8]]) {
        var contacts: [ArraySlice<UInt8>: Int] = [:]
        var rest: [Int] = []
        for (index, frame) in seen.enumerated() {
            if seen.count > 1, let key = Self.key(frame), contacts[key] == nil {
                contacts[key] = index
            } else {
                rest.append(index)
            }
        }
        var others = rest[...]
        var taken = Array(repeating: false, count: seen.count)
        for frame in recorded {
            let key = recorded.count > 1 ? Self.key(frame.bytes) : nil
            let partner = key.map { contacts[$0] } ?? others.popFirst()
            if let partner, !taken[partner] {
                taken[partner] = true
                pairs.append((frame, seen[partner]))
            } else {
                pairs.append((frame, nil))
            }
        }
        for index in seen.indices where !taken[index] { pairs.append((nil, seen[index])) }
    }

    /// The key of a contact.
    private static func key(_ frame: [UInt8]) -> ArraySlice<UInt8>? {
        frame.first == ResponseCode.contact.rawValue && frame.count >= 33 ? frame[1..<33] : nil
    }
}
