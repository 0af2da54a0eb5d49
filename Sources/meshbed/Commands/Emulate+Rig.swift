import ArgumentParser
import MeshCompliance
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports

// `meshbed emulate --rig`: one radio on a bench that others steer.
extension Emulate {
    /// Runs the rig until it is interrupted.
    func run(_ control: LinkAddress, until interrupt: Interrupt) async throws {
        // Keys are the same in every run unless somebody wants others: verdicts do not depend on them.
        var build = HeldRadio.Build(board: board, quirks: quirks, seed: Seed(seed ?? 1))
        build.hooks = mutant?.hooks
        let rig: Rig
        do throws(EmulatorError) {
            rig = try Rig.start(.init(build: build, control: control, endpoints: endpoints, log: Console.note))
        } catch {
            throw Console.failed("emulate", error)
        }
        for endpoint in rig.endpoints { Console.out("Radio \(endpoint)") }
        Console.out("Rig \(rig.control)")
        Console.out(
            "Board \(profile.name) (\(profile.model)), firmware \(profile.firmwareVersion), seed \(build.seed.value)")
        Console.out("Time is held: it passes when the client of the rig lets it.")
        Console.out("Running until interrupted (Ctrl-C).")
        await interrupt.wait()
        rig.stop()
        Console.out("Stopped.")
    }
}
