import MeshControl
import MeshEmulator
import MeshFiles
import MeshHTTP
import MeshReports
import MeshTransports
import MeshWeb
import MeshWire

/// The control API of a running world.
struct OpenControl {
    let server: WebServer
    /// The token that requests carry; `nil` where only this machine reaches the API.
    let token: String?

    /// The address as clients write it.
    var address: String { LinkAddress.tcp(host: server.host, port: server.port).web ?? "" }

    /// Serves at an address; without one, on this machine alone at a free port.
    ///
    /// - Parameter needsToken: whether requests of this machine need a token as well.
    init(
        _ address: LinkAddress?, service: any WebService, needsToken: Bool, limits: WebLimits = WebLimits()
    ) async throws(WebServer.Failure) {
        var (host, port) = (LinkAddress.defaultHost, UInt16(0))
        if case .tcp(let named, let number)? = address { (host, port) = (named, number) }
        let isReachable = LinkAddress.tcp(host: host, port: port).isReachableFromElsewhere
        token = needsToken || isReachable ? Self.freshToken() : nil
        server = try await WebServer.start(host: host, port: port, service: service, token: token, limits: limits)
    }

    /// Draws a token of 128 random bits.
    private static func freshToken() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &source) }.hex
    }
}

// `meshbed emulate --control`: programs that steer the world.
extension Emulate {
    /// Opens the control API that was asked for, if one was.
    func openControl(of emulator: Emulator, _ provenance: Provenance) async throws -> OpenControl? {
        guard let control else { return nil }
        let service = ControlAPI(
            emulator, world: world, provenance: (try? provenance.jsonText(inOneLine: true)) ?? "{}")
        do throws(WebServer.Failure) {
            return try await OpenControl(control, service: service, needsToken: false)
        } catch {
            await emulator.stop()
            throw Console.failed("emulate", error)
        }
    }

    /// Releases the requests that wait for time, and stops the server.
    func close(_ api: OpenControl?, of emulator: Emulator) async {
        guard let api else { return }
        try? await emulator.steer { $0.endSteps() }
        await api.server.stop()
    }
}
