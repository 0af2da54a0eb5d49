/// One row of the layer diagram: a module, its layer, and what it may import.
struct Layer {
    /// Height in the diagram; arrows only point down.
    var number: Int
    /// Modules of ours.
    var mayImport: [String]
    /// Modules from elsewhere.
    var outside: [String] = []

    /// Layers without clock, files, sockets and threads.
    var isPure: Bool { number <= 3 }
}

/// The layer diagram. A new module gets its row here, and a place below a comment `// Layer` of the manifest.
enum Layers {
    private static let words = ["MeshWire", "MeshTime", "MeshRadio"]
    private static let protocols = words + ["MeshCrypto", "MeshPacket", "MeshCompanion"]
    private static let worlds = protocols + ["MeshFirmware", "MeshSimulator"]
    private static let benched =
        worlds + [
            "MeshBluetoothHost", "MeshBluetoothAir", "MeshCapture", "BluetoothCapture", "MeshFiles",
            "MeshCaptureFiles", "MeshVirtualTime", "MeshCore", "MeshLinks",
            "MeshTransports", "MeshEmulator", "PocketMeshServices", "MeshWorlds", "MeshReports", "MeshCompliance",
        ]
    private static let shellLibraries = [
        "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Logging", "Synchronization", "Atomics",
        "NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOFileSystem", "NIOEmbedded",
    ]
    private static let commandLibraries = shellLibraries + ["ArgumentParser"]

    /// The row of a module, or nil for an unknown one.
    static func row(of module: String) -> Layer? {
        switch module {
        // System libraries, the commit and the words have nothing of ours below them.
        case "CSodium", "CLibCrypto", "CTurboJPEG", "CDBus", "CBlueZ", "CZlib", "CPcap", "CBuild", "MeshWire",
            "MeshTime":
            Layer(number: 0, mayImport: [])
        case "CBluetooth": Layer(number: 0, mayImport: ["CBlueZ"])
        case "MeshRadio": Layer(number: 0, mayImport: ["MeshWire", "MeshTime"])
        // The only door to the crypto libraries; keys and digests are `FixedBytes` of MeshWire.
        // Its kept cipher contexts have a lock.
        case "MeshCrypto":
            Layer(number: 1, mayImport: ["MeshWire"], outside: ["CSodium", "CLibCrypto", "Synchronization"])
        case "MeshPacket": Layer(number: 1, mayImport: ["MeshWire", "MeshCrypto"])
        // Frames carry keys and signatures, so the companion protocol knows MeshCrypto's names for them.
        case "MeshCompanion": Layer(number: 1, mayImport: ["MeshWire", "MeshPacket", "MeshCrypto"])
        // Bluetooth's own words, with nothing of the mesh in them.
        case "MeshBluetoothHost": Layer(number: 1, mayImport: ["MeshWire", "MeshTime", "MeshCrypto"])
        case "MeshFirmware": Layer(number: 2, mayImport: protocols)
        case "MeshSimulator": Layer(number: 3, mayImport: protocols + ["MeshFirmware"])
        case "MeshCapture": Layer(number: 3, mayImport: protocols)
        // What other tools recorded becomes recordings here.
        case "BluetoothCapture": Layer(number: 3, mayImport: protocols + ["MeshBluetoothHost", "MeshCapture"])
        case "MeshBluetoothAir": Layer(number: 3, mayImport: ["MeshWire", "MeshTime", "MeshBluetoothHost"])
        // Numbers alone: intervals, verdicts and samples.
        case "MeshStatistics": Layer(number: 3, mayImport: ["MeshWire"])
        default: shell(of: module) ?? bench(of: module)
        }
    }

    /// The row of a module of layer 4.
    private static func shell(of module: String) -> Layer? {
        switch module {
        // The library's executors are its business; nothing but the bench and tests may depend on it.
        case "MeshVirtualTime":
            Layer(
                number: 4, mayImport: ["MeshTime"], outside: ["_Concurrency", "Glibc", "Dispatch", "Synchronization"])
        case "MeshCore": Layer(number: 4, mayImport: protocols, outside: ["Synchronization"])
        // The only door to sockets, serial lines, terminals and radios over Bluetooth, which on a desktop is D-Bus, and so to
        // libbluetooth. Of the protocol it knows the three bytes in front of a frame in a stream.
        case "MeshLinks":
            Layer(
                number: 4,
                mayImport: ["MeshWire", "MeshTime", "MeshCompanion", "MeshBluetoothHost", "MeshFiles", "MeshBus"],
                outside: ["Glibc", "Dispatch", "Synchronization", "NIOCore", "NIOPosix", "CBluetooth"])
        // An app that links it carries no simulator.
        case "MeshTransports":
            Layer(
                number: 4, mayImport: ["MeshTime", "MeshCompanion", "MeshCapture", "MeshCore", "MeshLinks"],
                outside: ["Synchronization", "NIOCore", "NIOPosix"])
        // What shells that keep state have in common.
        case "MeshFiles": Layer(number: 4, mayImport: [], outside: ["Glibc", "Foundation"])
        // The words of HTTP, and the only door to the library of HTTP, which knows no service.
        case "MeshHTTP": Layer(number: 4, mayImport: ["MeshFiles"])
        case "MeshWeb":
            Layer(
                number: 4, mayImport: ["MeshHTTP"],
                outside: [
                    "Glibc", "Synchronization", "Logging", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTPTypes",
                    "HTTPTypes", "HummingbirdCore",
                ])
        // The only doors to the library that unpacks captures, and to live ones.
        case "MeshCaptureFiles":
            Layer(
                number: 4, mayImport: protocols + ["MeshCapture", "BluetoothCapture", "MeshFiles"],
                outside: ["Glibc", "CZlib"])
        case "MeshBluetooth":
            Layer(
                number: 4, mayImport: protocols + ["MeshBluetoothHost", "BluetoothCapture", "MeshFiles"],
                outside: ["Glibc", "Synchronization", "CPcap"])
        // Seeds run on threads of its own. Its apps send again as the stack's services do, by the plan of MeshCore.
        case "MeshWorlds":
            Layer(
                number: 4, mayImport: worlds + ["MeshFiles", "MeshCore"],
                outside: ["Foundation", "Dispatch", "Synchronization"])
        case "MeshEmulator":
            Layer(
                number: 4,
                mayImport: worlds + [
                    "MeshBluetoothHost", "MeshBluetoothAir", "MeshCapture", "MeshCore", "MeshLinks", "MeshBus",
                    "MeshFiles", "MeshTransports", "MeshWorlds",
                ],
                outside: shellLibraries)
        // The only door to D-Bus.
        case "MeshBus":
            Layer(number: 4, mayImport: [], outside: ["Foundation", "Dispatch", "Glibc", "Synchronization", "CDBus"])
        default: app(of: module)
        }
    }

    /// The row of a module of an app, which is of layer 4 too.
    private static func app(of module: String) -> Layer? {
        switch module {
        // The only door to the database library, whose own door to SQLite is used where a value must reach a column as
        // it is.
        case "MeshStore":
            Layer(
                number: 4, mayImport: protocols + ["MeshCore", "MeshFiles"],
                outside: ["Foundation", "Glibc", "Synchronization", "GRDB", "GRDBSQLite"])
        case "PocketMeshServices":
            Layer(
                number: 4, mayImport: protocols + ["MeshCore", "MeshFiles", "MeshStore"],
                outside: ["Foundation", "Glibc", "Observation", "Synchronization", "Logging"])
        case "MeshDesktop":
            Layer(number: 4, mayImport: ["MeshBus", "PocketMeshServices"], outside: ["Foundation"])
        // The only door to the JPEG library.
        case "MeshPictures":
            Layer(number: 4, mayImport: ["PocketMeshServices"], outside: ["Foundation", "CTurboJPEG"])
        // Shows the stack without drawing; no simulator and no link below it.
        case "PocketMeshUI":
            Layer(
                number: 4, mayImport: protocols + ["MeshCore", "MeshFiles", "PocketMeshServices"],
                outside: ["Foundation", "Observation", "Synchronization"])
        // The app in a browser: its API and its pages, without the server in front of them.
        case "PocketMeshWeb":
            Layer(number: 4, mayImport: ["MeshFiles", "MeshHTTP", "PocketMeshUI"], outside: ["Foundation"])
        default: nil
        }
    }

    /// The row of a module of layer 5.
    private static func bench(of module: String) -> Layer? {
        switch module {
        // Suites know reports, and no report knows a suite.
        case "MeshReports":
            Layer(number: 5, mayImport: words + ["MeshPacket", "MeshCompanion", "MeshFiles"])
        // Packs what happened for a browser, and has the pages that show it.
        case "MeshPlayer":
            Layer(
                number: 5,
                mayImport: worlds + ["MeshCapture", "MeshFiles", "MeshCaptureFiles", "MeshWorlds", "MeshReports"],
                outside: ["Foundation"])
        // Holds radios against the protocol without an app's stack and its database.
        case "MeshCompliance":
            Layer(
                number: 5,
                mayImport: worlds + [
                    "MeshBluetoothHost", "MeshBluetoothAir", "MeshCapture", "MeshLinks", "MeshFiles", "MeshEmulator",
                    "MeshReports",
                ],
                outside: ["Foundation", "Glibc"])
        // A scenario may run a whole stack, on a time of its own.
        case "MeshScenarios":
            Layer(number: 5, mayImport: benched, outside: ["Foundation", "Synchronization"])
        // What stores are measured against is the C library alone.
        case "MeshLab":
            Layer(
                number: 5, mayImport: benched + ["MeshScenarios"],
                outside: ["Foundation", "Glibc", "Synchronization", "GRDBSQLite"])
        // Compares worlds; of the suites it knows none.
        // An app's retries are values of MeshCore, so a study needs no stack and no database.
        case "MeshStudy":
            Layer(
                number: 5,
                mayImport: worlds + ["MeshFiles", "MeshWorlds", "MeshReports", "MeshStatistics", "MeshCore"])
        // Holds worlds against what was observed.
        case "MeshTwin":
            Layer(
                number: 5, mayImport: worlds + ["MeshFiles", "MeshWorlds", "MeshReports", "MeshStatistics"],
                outside: ["Foundation"])
        // One import for all that authors need; it has no code.
        case "MeshTestbed":
            Layer(
                number: 5, mayImport: ["MeshWorlds", "MeshReports", "MeshCompliance", "MeshScenarios", "MeshStudy"])
        // What a control API is asked and answers: every language's words for a world.
        case "MeshControl":
            Layer(
                number: 5,
                mayImport: worlds + [
                    "MeshCapture", "MeshFiles", "MeshHTTP", "MeshTransports", "MeshEmulator", "MeshWorlds",
                    "MeshPlayer",
                ],
                outside: ["Foundation", "Synchronization"])
        default: command(of: module)
        }
    }

    /// The row of a module of layer 6 and above.
    private static func command(of module: String) -> Layer? {
        switch module {
        // Stories in the bench's words; nothing below it is theirs.
        case "Scenarios": Layer(number: 6, mayImport: ["MeshTestbed"])
        case "ScenarioTool":
            Layer(
                number: 6,
                mayImport: words + [
                    "MeshCrypto", "MeshFiles", "MeshReports", "MeshPlayer", "MeshWorlds", "MeshCompliance",
                    "MeshScenarios",
                    "MeshStudy", "CBuild",
                ],
                outside: commandLibraries)
        case "meshbed":
            Layer(
                number: 7,
                mayImport: benched + [
                    "MeshBluetooth", "MeshPictures", "MeshDesktop", "MeshScenarios", "MeshLab", "MeshStudy",
                    "MeshTwin", "MeshControl", "MeshPlayer", "MeshHTTP", "MeshWeb", "PocketMeshUI", "PocketMeshWeb",
                    "Scenarios", "ScenarioTool",
                ],
                outside: commandLibraries)
        default: nil
        }
    }
}
