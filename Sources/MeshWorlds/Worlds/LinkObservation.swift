package import MeshFiles

/// The observations of a link: the number of packets that used it, and the strength at which it was heard.
///
/// A run ignores it. It is kept in the file so that signals can be computed from it again.
package struct LinkObservation: Hashable, Sendable {
    /// Packets in which `from` directly precedes `to`.
    package var there = 0
    /// Packets in which `to` directly precedes `from`.
    package var back = 0
    /// Packets of unknown direction.
    package var either = 0
    /// All of them.
    package var count: Int { there + back + either }
    /// Measured SNR at `to`, in dB.
    package var snr: Double?
    /// Measured SNR at `from`, in dB.
    package var snrBack: Double?
    /// True for a link that was not observed: it was made from places.
    package var isAssumed = false

    package init() {}

    package init(_ fields: JSONFields) throws(FileProblem) {
        try fields.allow(["there", "back", "either", "snr", "snr_back", "assumed"])
        let counts = 0...1_000_000_000
        there = try fields.integer("there", in: counts) ?? 0
        back = try fields.integer("back", in: counts) ?? 0
        either = try fields.integer("either", in: counts) ?? 0
        snr = try fields.number("snr", in: -32...32)
        snrBack = try fields.number("snr_back", in: -32...32)
        isAssumed = try fields.bool("assumed") ?? false
    }

    /// The observation as an object of JSON, without empty members.
    package var json: String {
        var members: [String] = []
        if there > 0 { members.append("\"there\": \(there)") }
        if back > 0 { members.append("\"back\": \(back)") }
        if either > 0 { members.append("\"either\": \(either)") }
        if let snr { members.append("\"snr\": \(snr)") }
        if let snrBack { members.append("\"snr_back\": \(snrBack)") }
        if isAssumed { members.append("\"assumed\": true") }
        return "{" + members.joined(separator: ", ") + "}"
    }
}
