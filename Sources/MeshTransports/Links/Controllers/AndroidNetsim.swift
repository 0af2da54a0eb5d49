import Glibc
import MeshFiles
import MeshWire

/// The virtual controllers of the Android emulator: the place at which its daemon netsim gives one to a host.
///
/// netsim writes `netsim.ini` into its discovery directory when it starts, with the port of its gRPC interface. That
/// interface carries packets in protocol buffers, which this library does not speak. Beside it netsim listens on a
/// TCP port of this machine for HCI packets as on a UART (H4). Each connection there is a controller in the same air
/// as those of the emulators. Source: netsim, `rust/common/src/util/ini_file.rs`, `os_utils.rs` and
/// `rust/daemon/src/transport/socket.rs`; not tried with Android itself.
struct AndroidNetsim {
    /// The variables of the environment that netsim and this library read.
    static let variables = ["TMPDIR", "XDG_RUNTIME_DIR", "NETSIM_HCI_PORT"]
    /// `DEFAULT_HCI_PORT`, that of the first instance; later instances count on from it.
    static let firstPort: UInt16 = 6402
    /// The instances that are looked for.
    static let instances = 1...99
    /// The longest file that is read.
    private static let sizeLimit = 64 * 1024

    /// The port for HCI packets on this machine.
    let port: UInt16
    /// The place of the gRPC interface, as the file has it.
    let grpc: String

    /// Finds the controllers of an instance; fails with the reason as a sentence without its full stop.
    init(
        instance: Int, in environment: [String: String] = AndroidNetsim.environment
    ) throws(AndroidNetsim.Absence) {
        let name = instance == 1 ? "netsim.ini" : "netsim_\(instance).ini"
        let folders = Self.folders(environment)
        let found = folders.lazy.compactMap { try? FileSystem.read("\($0)/\(name)", atMost: Self.sizeLimit) }.first
        guard let found else {
            throw Absence(reason: "no \(name) in \(LinkAddress.sentence(folders)): start the Android emulator first")
        }
        guard let grpc = Self.value(of: "grpc.port", in: found) else {
            throw Absence(reason: "\(name) states no grpc.port: it is none of netsim")
        }
        self.grpc = grpc
        port = try Self.port(instance, environment)
    }

    /// The reason why there is no controller.
    struct Absence: Error, Hashable {
        let reason: String
    }

    /// The discovery directories in netsim's order, and where others look.
    private static func folders(_ environment: [String: String]) -> [String] {
        let named = ["TMPDIR", "XDG_RUNTIME_DIR"].compactMap { environment[$0] }.filter { $0.hasPrefix("/") }
        var folders: [String] = []
        for folder in named + ["/tmp"] {
            let bare = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
            if !folders.contains(bare) { folders.append(bare) }
        }
        return folders
    }

    private static func port(_ instance: Int, _ environment: [String: String]) throws(Absence) -> UInt16 {
        guard let text = environment["NETSIM_HCI_PORT"], !text.isEmpty else {
            return firstPort + UInt16(clamping: instance - 1)
        }
        guard let port = UInt16(text), port > 0 else { throw Absence(reason: "NETSIM_HCI_PORT is no port") }
        return port
    }

    /// The value of a line `KEY=VALUE`, without blanks around both; `nil` where there is none.
    private static func value(of key: String, in file: [UInt8]) -> String? {
        for line in String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(parts[0]).trimmed(where: \.isWhitespace) == key else { continue }
            let value = String(parts[1]).trimmed(where: \.isWhitespace)
            return value.isEmpty ? nil : value
        }
        return nil
    }

    /// The variables as the process has them.
    static var environment: [String: String] {
        var found: [String: String] = [:]
        for name in variables { found[name] = getenv(name).map { String(cString: $0) } }
        return found
    }

    /// The reason why its port takes no connection, with what is known of it.
    func reason(_ problem: String) -> String {
        "netsim runs, and takes no HCI packets on port \(port) (\(problem)); NETSIM_HCI_PORT names another one. Its "
            + "interface at gRPC \(grpc.visibleLine) is none that Meshbed speaks"
    }
}
