import ArgumentParser
import MeshControl
import MeshEmulator
import MeshFiles
import MeshLinks
import MeshPlayer
import MeshReports
import MeshSimulator
import MeshTime
import MeshWeb
import MeshWire
import ScenarioTool

// The page at an address: of a running world, or of a document.
extension Studio {
    /// Runs the world until it is interrupted.
    func serveWorld(until interrupt: Interrupt) async throws {
        let seed = Seed(seed ?? UInt64.random(in: 0...UInt64(UInt32.max)))
        let (world, plan) = try source(seed, for: LiveOptions.usualSpan)
        let run = provenance(seed, time == .clock ? "clock" : "stepped, by the page")
        var configuration = Emulator.Configuration(
            world: world, seed: seed, pace: time == .clock ? .clock(speed: 1) : .stepped, log: Console.note)
        configuration.isSteered = true
        configuration.waiting.clients = 0
        configuration.traffic = plan
        let emulator: Emulator
        do {
            emulator = try await Emulator.start(configuration)
        } catch {
            throw Console.failed("studio", error)
        }
        let api = ControlAPI(
            emulator, world: worldName, provenance: (try? Provenance.of(run).jsonText(inOneLine: true)) ?? "{}")
        let server: ControlServer
        let token = Emulate.freshToken()
        do {
            server = try await start(MountedServices([.init("", pages), .init("api", api)]), token: token)
        } catch {
            await emulator.stop()
            throw error
        }
        let nodes =
            (try? await emulator.inspect { world in
                world.nodes.map { NodeLine($0, in: world, endpoints: emulator.endpoints) }
            }) ?? []
        announce(server, Provenance.of(run), nodes, token: token)
        await interrupt.orEnd(of: emulator)
        try? await emulator.steer { $0.endSteps() }
        await server.stop()
        let outcome = await emulator.conclude()
        try? await emulator.waitUntilEnded()
        if let outcome { say("Stopped. Digest \(outcome.digest), unseed \(outcome.unseed).") }
    }

    /// Serves a document until it is interrupted.
    func serve(_ document: PlayerDocument, until interrupt: Interrupt) async throws {
        let token = Emulate.freshToken()
        let server = try await start(
            MountedServices([.init("", pages), .init("document", DocumentService(bytes: document.packed))]),
            token: token)
        announce(server, Provenance.of(provenance(Seed(0), "none")), [], token: token)
        await interrupt.wait()
        await server.stop()
        say("Stopped.")
    }

    private var pages: PageService {
        PageService(PlayerPage.files.map { PageFile($0.path, $0.bytes) }, index: PlayerPage.index)
    }

    private func start(_ service: some ControlService, token: String) async throws -> ControlServer {
        guard case .tcp(let host, let port) = listen ?? .tcp(host: LinkAddress.defaultHost, port: 0) else {
            throw ValidationError("--listen takes HOST:PORT")
        }
        do throws(ControlServer.Failure) {
            return try await ControlServer.start(host: host, port: port, service: service, token: token)
        } catch {
            throw Console.failed("studio", error)
        }
    }

    private func announce(_ server: ControlServer, _ provenance: Provenance, _ nodes: [NodeLine], token: String) {
        let address = LinkAddress.tcp(host: server.host, port: server.port).web ?? ""
        if readyJson { Console.out(ReadyLine(provenance, nodes, control: address + "/api", token: token).text) }
        if open == nil { for line in provenance.lines { say(line) } }
        say("Studio \(address)/#token=\(token)\(open == nil ? "" : "&show=document")")
        say("Open this address in a browser. Running until interrupted (Ctrl-C).")
    }

    /// A line for people.
    private func say(_ line: String) {
        if readyJson { Console.note(line) } else { Console.out(line) }
    }
}

/// Hands a document to the page that shows it.
private struct DocumentService: ControlService {
    let bytes: [UInt8]

    func answer(_ request: ControlRequest) async -> ControlAnswer {
        guard request.path.isEmpty else {
            return ControlAnswer(ControlRefusal(.notFound, "there is a document and no more"))
        }
        guard request.method == "GET" else { return ControlAnswer(ControlRefusal(.notAllowed, "the path takes GET")) }
        return ControlAnswer(type: "application/octet-stream", body: .whole(bytes))
    }

    func methods(at path: [String]) -> [String] { path.isEmpty ? ["GET"] : [] }

    func isOpen(_ path: [String]) -> Bool { false }
}
