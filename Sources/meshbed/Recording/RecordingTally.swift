import MeshCapture
import MeshTime

/// The frames and packets of a recording, counted for its last line on the screen.
struct RecordingTally {
    private var frames = 0
    private var packets = 0
    private var problems = 0
    private var restores = 0

    mutating func count(_ entry: RecordingEntry) {
        switch entry.event {
        case .frame: frames += 1
        case .packet: packets += 1
        case .problem: problems += 1
        case .turn(.restored): restores += 1
        case .connected, .disconnected, .turn(.snapshot): break
        }
    }

    var description: String {
        var parts = [Self.counted(frames, "frame")]
        if packets > 0 { parts.append(Self.counted(packets, "packet") + " of the air") }
        if problems > 0 { parts.append(Self.counted(problems, "problem")) }
        if restores > 0 { parts.append(Self.counted(restores, "return") + " to a snapshot") }
        return parts.joined(separator: ", ")
    }

    static func counted(_ count: Int, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}
