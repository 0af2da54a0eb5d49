import MeshCapture
import MeshEmulator
import MeshReports
import MeshScenarios
import MeshTransports
import MeshWire

extension Replay {
    /// The pace of the radio, as a multiple of the recorded one.
    var radioPace: RadioReplayer.Pace { .recorded(perMille: Int64(nearest: (speed ?? 1) * 1000)) }

    /// Listens until an interrupt, or until the first client has left.
    func playRadio(_ recording: Recording, _ file: String) async throws -> ReplayResult {
        let interrupt = Interrupt()
        let endpoint = endpoint ?? .tcp(host: LinkAddress.defaultHost, port: LinkAddress.defaultPort)
        let core = ReplayedEndpoint(RadioReplayer(recording, pace: radioPace), at: endpoint)
        let server = try await EndpointServer.start(core, at: endpoint, log: Console.note)
        say("The radio of \(file) listens at \(server.endpoint).")
        if once {
            await interrupt.orEnd { await server.wait { $0.hasBeenLeft } }
        } else {
            await interrupt.wait()
        }
        let radio = try await server.stop().radio
        let lines = radio.summary
        return ReplayResult(
            lines: lines.dropLast(), problems: lines.dropLast(), summary: lines.last ?? "",
            report: TestReport(radio, at: "\(server.endpoint)"))
    }
}
