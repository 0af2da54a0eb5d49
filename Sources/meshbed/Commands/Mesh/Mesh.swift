import ArgumentParser
import MeshSimulator
import MeshTime

/// `meshbed mesh`: whole meshes on virtual time.
struct Mesh: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run whole meshes on virtual time, and follow their messages.",
        discussion: """
            A world is a shape with a size, a world file or a file of adverts. Shapes are pair, town, line:10, \
            ring:12, star:8, grid:10x10, dense:10x10, random:50, city:300. World files are JSON; adverts are lines of \
            hex or JSON. 'meshbed mesh run --list' shows all shapes and kinds of traffic.

            The same world, seed, traffic and time give the same run on every machine.

            Examples:
              meshbed mesh run grid:10x10
              meshbed mesh run city:300 --seed 7 --traffic chat:5s --trace city.ndjson
              meshbed mesh why city.ndjson 3
              meshbed mesh draw city:300 --seed 7 --trace city.ndjson -o city.svg
              meshbed mesh diff city.ndjson other.ndjson
            """,
        subcommands: [MeshRunCommand.self, MeshWhy.self, MeshDiff.self, MeshDraw.self])
}

/// The seed of a run.
struct SeedOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number that the whole run follows from: maps, keys, delays, traffic.", valueName: "number"))
    var seed: UInt64 = 42

    var value: Seed { Seed(seed) }
}

/// A time such as `600s`, `10m` or `2h`.
func parseSpan(_ text: String) throws -> TimeSpan {
    guard let span = TimeSpan(spelled: text), span > .zero else {
        throw ValidationError("'\(text)' is not a time; write 600s, 1500ms, 10m, 2h or 1d")
    }
    return span
}

/// The traffic that a command names.
func parseTraffic(_ text: String) throws -> Traffic {
    do {
        return try Traffic(text)
    } catch {
        throw ValidationError("\(error)")
    }
}
