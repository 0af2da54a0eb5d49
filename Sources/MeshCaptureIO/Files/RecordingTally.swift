import MeshCapture
import MeshTime
import MeshWire

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
        var parts = [frames.counted("frame")]
        if packets > 0 { parts.append(packets.counted("packet") + " of the air") }
        if problems > 0 { parts.append(problems.counted("problem")) }
        if restores > 0 { parts.append(restores.counted("return") + " to a snapshot") }
        return parts.joined(separator: ", ")
    }
}
