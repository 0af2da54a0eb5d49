package import MeshTime
import MeshWire

extension FaultCount {
    /// The effects in a few words: `3 times, 3 frames, 120 bytes, 2 nodes, first at 1.25 s`.
    package var text: String {
        var parts = [times.counted("time")]
        if frames > 0 { parts.append(frames.counted("frame")) }
        if bytes > 0 { parts.append(bytes.counted("byte")) }
        if nodes.count > 1 { parts.append(nodes.count.counted("node")) }
        if let first { parts.append("first at \(first)") }
        return parts.joined(separator: ", ")
    }
}
