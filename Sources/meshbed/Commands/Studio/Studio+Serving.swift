import ArgumentParser
import MeshControl
import MeshEmulator
import MeshFiles
import MeshHTTP
import MeshReports
import MeshSimulator
import MeshTestbed
import MeshTime
import MeshTransports
import MeshWeb
import MeshWire

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
        configuration.endpoints = apps.map { NodeEndpoint(label: $0, endpoint: .freePort) }
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
        let (opened, server): ([(name: String, app: OpenApp)], OpenControl)
        do {
            opened = try await openApps(of: emulator)
            let mounts = [MountedServices.Mount("", pages), .init("api", api)]
            server = try await start(
                MountedServices(mounts + opened.map { .init("apps/\($0.name)", $0.app.service) }))
        } catch {
            await emulator.stop()
            throw error
        }
        let nodes =
            (try? await emulator.inspect { world in
                world.nodes.map { NodeLine($0, in: world, endpoints: emulator.endpoints) }
            }) ?? []
        announce(server, Provenance.of(run), nodes)
        for (_, app) in opened { await app.begin() }
        await interrupt.orEnd(of: emulator)
        for (_, app) in opened { await app.end() }
        try? await emulator.steer { $0.endSteps() }
        await server.server.stop()
        let outcome = await emulator.conclude()
        try? await emulator.waitUntilEnded()
        if let outcome { say("Stopped. Digest \(outcome.digest), unseed \(outcome.unseed).") }
    }

    /// Serves a document until it is interrupted.
    func serve(_ document: PlayerDocument, until interrupt: Interrupt) async throws {
        let server = try await start(
            MountedServices([.init("", pages), .init("document", DocumentService(bytes: document.packed))]))
        announce(server, Provenance.of(provenance(Seed(0), "none")), [])
        await interrupt.wait()
        await server.server.stop()
        say("Stopped.")
    }

    private var pages: PageService {
        PageService(PlayerPage.files.map { PageFile($0.path, $0.bytes) }, index: PlayerPage.index)
    }

    /// The apps of companions, which speak to their radios over TCP as any app does.
    private func openApps(of emulator: Emulator) async throws -> [(name: String, app: OpenApp)] {
        var opened: [(name: String, app: OpenApp)] = []
        do {
            for name in apps {
                let place = emulator.endpoints.first { $0.label == name }?.place ?? ""
                opened.append((name, try await OpenApp(target: RadioAddress(place), database: nil)))
            }
        } catch {
            throw Console.failed("studio", error)
        }
        return opened
    }

    private func start(_ service: some WebService) async throws -> OpenControl {
        let limits = await apps.isEmpty ? WebLimits() : OpenApp.limits
        do throws(WebServer.Failure) {
            return try await OpenControl(listen, service: service, needsToken: true, limits: limits)
        } catch {
            throw Console.failed("studio", error)
        }
    }

    private func announce(_ server: OpenControl, _ provenance: Provenance, _ nodes: [NodeLine]) {
        let token = server.token ?? ""
        if readyJson {
            Console.out(ReadyLine(provenance, nodes, control: server.address + "/api", token: token).text)
        }
        if open == nil { for line in provenance.lines { say(line) } }
        let shown = open != nil ? "&show=document" : apps.isEmpty ? "" : "&apps=" + apps.joined(separator: ",")
        say("Studio \(server.address)/#token=\(token)\(shown)")
        say("Open this address in a browser. Running until interrupted (Ctrl-C).")
    }

    /// A line for people.
    private func say(_ line: String) {
        if readyJson { Console.note(line) } else { Console.out(line) }
    }
}

/// Serves a document to the page that shows it.
private struct DocumentService: WebService {
    let bytes: [UInt8]

    func answer(_ request: WebRequest) async -> WebAnswer {
        guard request.path.isEmpty else {
            return WebAnswer(WebRefusal(.notFound, "there is a document and no more"))
        }
        guard request.method == "GET" else { return WebAnswer(WebRefusal(.notAllowed, "the path takes GET")) }
        return WebAnswer(type: "application/octet-stream", body: .whole(bytes))
    }

    func methods(at path: [String]) -> [String] { path.isEmpty ? ["GET"] : [] }

    func isOpen(_ path: [String]) -> Bool { false }
}
