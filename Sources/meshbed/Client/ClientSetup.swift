import FoundationEssentials
import MeshEmulator
import MeshFiles
import MeshTransports
import PocketMeshServices

/// The options of a run: the command's own, then the environment's, the configuration file's and the built-in ones.
struct ClientSetup: Sendable {
    var target = RadioAddress.link(.tcp(host: LinkAddress.defaultHost, port: LinkAddress.defaultPort))
    var db: String?
    var profile = StackProfile.architectureV2

    /// Throws `ClientSetupError` for a variable or a file that makes no sense.
    init(_ options: ClientOptions, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let file = try ConfigurationFile(environment: environment)
        db = options.givenDB ?? file?.db
        if let target = try options.givenTarget ?? Self.target(in: environment) ?? file?.target { self.target = target }
        if let retries = options.givenRetries ?? file?.retries { profile = retries.profile }
        if let atMost = options.givenAtMost ?? file?.atMost { profile.sync.drainLimit = atMost }
    }

    private static func target(in environment: [String: String]) throws -> RadioAddress? {
        guard let text = environment["MESHBED_TARGET"], !text.isEmpty else { return nil }
        do { return try RadioAddress(text) } catch { throw ClientSetupError("MESHBED_TARGET: \(error)") }
    }
}

/// The user's file of options, `meshbed/config.json` in the folder of configurations: one JSON object.
struct ConfigurationFile: Equatable {
    var target: RadioAddress?
    var db: String?
    var retries: RetryPreset?
    var atMost: Int?

    /// A member of the object.
    private enum Value: Decodable {
        case text(String)
        case number(Int)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .other
            }
        }
    }

    /// Options of every client command, without secrets: a file of options is copied and shown.
    static let keys = ["target", "db", "retries", "at-most"]

    /// The largest file that is read, in bytes.
    static let limit = 65_536

    /// The path of the configuration file; `nil` where the environment names no folder for it.
    static func path(environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/meshbed/config.json" }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        return home + "/.config/meshbed/config.json"
    }

    /// Reads the user's file; returns `nil` where there is none.
    init?(environment: [String: String]) throws {
        guard let path = Self.path(environment: environment), try FileSystem.kind(of: path) != nil else { return nil }
        let bytes = try FileSystem.readInput(path, atMost: Self.limit)
        do {
            try self.init(bytes, folder: path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
        } catch let error as ClientSetupError {
            throw ClientSetupError("\(path): \(error)")
        }
    }

    /// Reads the object; a relative path of the database begins in the file's folder.
    init(_ json: [UInt8], folder: String) throws {
        guard let object = try? [String: Value](json: json) else {
            throw ClientSetupError("is not one JSON object")
        }
        for key in object.keys.sorted() where !Self.keys.contains(key) {
            if key.lowercased().contains("password") {
                throw ClientSetupError("a password does not belong here; use MESHBED_PASSWORD")
            }
            throw ClientSetupError("\"\(key)\" is none of \(Self.keys.joined(separator: ", "))")
        }
        target = try Self.text("target", in: object).map {
            do { return try RadioAddress($0) } catch { throw ClientSetupError("\(error)") }
        }
        db = try Self.text("db", in: object).map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
        retries = try Self.text("retries", in: object).map { name in
            guard let preset = RetryPreset(rawValue: name) else { throw ClientSetupError(RetryPreset.unknown(name)) }
            return preset
        }
        if let value = object["at-most"] {
            guard case .number(let number) = value, ClientOptions.atMostRange.contains(number) else {
                throw ClientSetupError("\"at-most\" is not a number from 1 to \(ClientOptions.atMostRange.upperBound)")
            }
            atMost = number
        }
    }

    private static func text(_ key: String, in object: [String: Value]) throws -> String? {
        guard let value = object[key] else { return nil }
        guard case .text(let text) = value, !text.isEmpty else { throw ClientSetupError("\"\(key)\" is not a text") }
        return text
    }
}

/// An error in the environment or in the configuration file.
struct ClientSetupError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
