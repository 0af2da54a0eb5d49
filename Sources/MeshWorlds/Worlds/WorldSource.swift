import FoundationEssentials
import Glibc
import MeshFiles
public import MeshSimulator
public import MeshTime
import MeshWire

/// A world as the user names it: a shape with a size, a world file, or a file of adverts.
public struct WorldSource: Sendable {
    /// The world that the name stands for.
    public let plan: WorldPlan
    /// The same for runs with clients.
    ///
    /// A world that has a name alone is as described under it. Its companion radios are called as their labels unless
    /// they are at factory settings.
    public var world: WorldDescription {
        guard var world = named else { return plan.description }
        guard !world.isAtFactorySettings else { return world }
        for index in world.nodes.indices where world.nodes[index].name == nil {
            world.nodes[index].name = ByteText(world.nodes[index].label).prefix(31)
        }
        return world
    }
    /// Notes for people on what the reader left out.
    public let notes: [String]
    private let named: WorldDescription?

    /// Finds and reads the world.
    ///
    /// What is the name of a file is a file; everything else is the name of a shape.
    public init(_ text: String, seed: Seed, memory: Int = Self.availableMemory) throws(WorldSourceProblem) {
        if FileManager.default.fileExists(atPath: text) {
            let bytes = try Self.bytes(of: text, longest: WorldFile.longest)
            (plan, notes) = try Self.read(bytes, path: text, seed: seed)
            named = nil
        } else if Self.isPath(text) {
            throw WorldSourceProblem("\(text): there is no such file")
        } else {
            let name = try Self.name(text)
            // Checked before the nodes are laid out.
            try Self.check(Self.leastBytes(of: name), text, memory)
            plan = name.plan(seed: seed)
            named = name.shape.world
            notes = []
        }
        try Self.check(plan.estimatedBytes, text, memory)
    }

    /// Throws for a text that can be neither a file nor a shape; reads nothing.
    public static func check(_ text: String) throws(WorldSourceProblem) {
        guard !isPath(text), !FileManager.default.fileExists(atPath: text) else { return }
        _ = try name(text)
    }

    private static func isPath(_ text: String) -> Bool {
        text.contains("/") || text.hasSuffix(".json") || text.hasSuffix(".jsonl")
    }

    private static func name(_ text: String) throws(WorldSourceProblem) -> TopologyName {
        do {
            return try TopologyName(text)
        } catch {
            throw WorldSourceProblem("\(error)")
        }
    }

    /// The bytes that the nodes of a shape need, without their links.
    private static func leastBytes(of name: TopologyName) -> Int {
        let companions: Int
        switch name.shape {
        case .star: companions = name.nodeCount - 1
        case .city: companions = name.nodeCount * 4 / 5
        case .random: companions = name.nodeCount / 5
        default: companions = 0
        }
        return WorldPlan.estimatedBytes(companions: companions, repeaters: name.nodeCount - companions, links: 0)
    }

    private static func check(_ bytes: Int, _ name: String, _ memory: Int) throws(WorldSourceProblem) {
        guard bytes > memory else { return }
        throw WorldSourceProblem(
            "\(name) needs about \(bytes >> 20) MiB, and \(memory >> 20) MiB are free; choose a smaller world")
    }

    private static func read(
        _ bytes: [UInt8], path: String, seed: Seed
    ) throws(WorldSourceProblem) -> (WorldPlan, [String]) {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        do {
            guard AdvertFile.looksLikeOne(bytes) else {
                return (try WorldFile.read(bytes, name: name, seed: seed), [])
            }
            let file = try AdvertFile(bytes, name: name, seed: seed)
            return (file.plan, file.notes)
        } catch {
            var problem = error
            problem.file = path
            throw WorldSourceProblem("\(problem)")
        }
    }

    /// The bytes of a file, refused when there are too many.
    public static func bytes(of path: String, longest: Int) throws(WorldSourceProblem) -> [UInt8] {
        do {
            return try FileSystem.readInput(path, atMost: longest)
        } catch  where error.code == EFBIG {
            throw WorldSourceProblem("\(path) is longer than \(longest >> 20) MiB")
        } catch {
            throw WorldSourceProblem("\(path): cannot be read: \(error.reason)")
        }
    }

    /// Bytes that a new process may use, as the system reports; half of the memory where it reports nothing.
    public static var availableMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            let words = line.split(separator: " ")
            if words.count > 1, let kibibytes = Int(words[1]) { return kibibytes << 10 }
        }
        return Int(clamping: ProcessInfo.processInfo.physicalMemory / 2)
    }
}

/// An error about a world that cannot be found or read, in one line.
public struct WorldSourceProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
