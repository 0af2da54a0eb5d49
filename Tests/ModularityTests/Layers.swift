/// A module's place in the layer diagram. Its arrows are in the manifest: they point to its own layer or below.
struct Layer {
    /// Height in the diagram; arrows only point down.
    var number: Int
    /// Modules from elsewhere, and C libraries, that it may import.
    var outside: [String] = []
    /// Tells whether it leads to a C library: only modules that name it may import it.
    var isDoor = false

    /// Layers without clock, files, sockets and threads.
    var isPure: Bool { number <= 3 }
}

/// A module that has to do without others, though they stand below it, on whatever way.
struct Separation {
    var module: String
    var without: [String]
    var reason: String
}

/// The layer diagram. A new module gets its number here, and a place below a comment `// Layer` of the manifest.
enum Layers {
    private static let shellLibraries = [
        "FoundationEssentials", "Dispatch", "Glibc", "Logging", "Synchronization", "Atomics", "NIOCore",
        "NIOPosix", "NIOConcurrencyHelpers", "NIOFileSystem", "NIOEmbedded",
    ]
    private static let commandLibraries = shellLibraries + ["ArgumentParser"]

    /// The exceptions: lower modules that a module has to do without, and why.
    static let separations = [
        Separation(
            module: "MeshBluetoothHost", without: ["MeshPacket"],
            reason: "Bluetooth's own words, with nothing of the mesh in them"),
        Separation(
            module: "MeshCapture", without: ["MeshFirmware", "MeshBluetoothHost"],
            reason: "an app that records its own link carries no captures of others"),
        Separation(
            module: "BluetoothCapture", without: ["MeshFirmware"],
            reason: "recordings are read without a radio"),
        Separation(
            module: "MeshVirtualTime", without: ["MeshWire"],
            reason: "its executors are a library of their own"),
        Separation(
            module: "MeshCore", without: ["MeshSimulator", "MeshVirtualTime"],
            reason: "an app carries no simulator"),
        Separation(
            module: "MeshTransports", without: ["MeshSimulator", "MeshVirtualTime", "CSQLite"],
            reason: "an app with links carries no simulator"),
        Separation(
            module: "MeshStore", without: ["MeshSimulator", "MeshTransports"],
            reason: "rows know neither radios nor links"),
        Separation(
            module: "PocketMeshServices", without: ["MeshSimulator", "MeshTransports", "MeshVirtualTime"],
            reason: "services know neither radios nor links"),
        Separation(
            module: "PocketMeshUI", without: ["MeshSimulator", "MeshTransports", "MeshVirtualTime"],
            reason: "pages stand on services alone"),
        Separation(
            module: "MeshDesktop", without: ["MeshSimulator"],
            reason: "an app carries no simulator"),
        Separation(
            module: "MeshRecords", without: ["MeshSimulator", "MeshTransports", "CSQLite"],
            reason: "records are read without a world"),
        Separation(
            module: "MeshWorlds", without: ["MeshTransports", "MeshVirtualTime", "NIOCore"],
            reason: "a world opens no link"),
        Separation(
            module: "MeshEmulator", without: ["CSQLite", "MeshVirtualTime"],
            reason: "a radio carries no app"),
        Separation(
            module: "MeshReports", without: ["MeshSimulator", "MeshWorlds"],
            reason: "suites know reports, and no report knows a suite"),
        Separation(
            module: "MeshBoards", without: ["MeshEmulator", "MeshReports", "CSQLite"],
            reason: "radios are named, claimed and kept for suites, scenarios and clients alike"),
        Separation(
            module: "MeshCompliance", without: ["CSQLite", "MeshScenarios"],
            reason: "radios are held against the protocol without an app's stack"),
        Separation(
            module: "MeshRoleCompliance", without: ["CSQLite", "MeshScenarios"],
            reason: "nodes are held against the protocol without an app's stack"),
        Separation(
            module: "MeshReleases", without: ["CSQLite", "MeshScenarios"],
            reason: "releases are compared without an app's stack"),
        Separation(
            module: "MeshStudy", without: ["MeshEmulator", "MeshCompliance", "CSQLite"],
            reason: "a study compares worlds; of suites and databases it knows none"),
    ]

    /// Folders of higher modules that keep the law of layers 0 to 3, with all that they may import.
    static let pureFolders: [(path: String, imports: [String])] = [
        // Numbers alone: the same bits in every build.
        ("Sources/MeshStudy/Statistics/", ["MeshWire"])
    ]

    /// The row of a module, or nil for an unknown one.
    static func row(of module: String) -> Layer? {
        switch module {
        // System libraries, the commit and the words have nothing of ours below them.
        case "CSodium", "CLibCrypto", "CTurboJPEG", "CDBus", "CZlib", "CPcap", "CSQLite", "CQRCode", "CBuild":
            Layer(number: 0, isDoor: true)
        case "MeshWire", "MeshTime": Layer(number: 0)
        case "CBluetooth": Layer(number: 0, isDoor: true)
        case "CBus": Layer(number: 0, outside: ["CDBus"], isDoor: true)
        case "MeshRadio": Layer(number: 0)
        // The only door to the crypto libraries; keys and digests are `FixedBytes` of MeshWire.
        // Its kept cipher contexts have a lock.
        case "MeshCrypto": Layer(number: 1, outside: ["CSodium", "CLibCrypto", "Synchronization"])
        case "MeshPacket": Layer(number: 1)
        // Frames carry keys and signatures, so the companion protocol knows MeshCrypto's names for them.
        case "MeshCompanion": Layer(number: 1)
        // Bluetooth's own words, with nothing of the mesh in them.
        case "MeshBluetoothHost": Layer(number: 1)
        case "MeshFirmware": Layer(number: 2)
        case "MeshSimulator": Layer(number: 3)
        case "MeshCapture": Layer(number: 3)
        // What other tools recorded becomes recordings here.
        case "BluetoothCapture": Layer(number: 3)
        default: shell(of: module) ?? bench(of: module)
        }
    }

    /// The row of a module of layer 4.
    private static func shell(of module: String) -> Layer? {
        switch module {
        // The library's executors are its business; nothing but the bench and tests may depend on it.
        case "MeshVirtualTime": Layer(number: 4, outside: ["_Concurrency", "Glibc", "Dispatch", "Synchronization"])
        case "MeshCore": Layer(number: 4, outside: ["Synchronization"])
        // An app that links it carries no simulator.
        case "MeshTransports":
            Layer(number: 4, outside: ["Synchronization", "NIOCore", "NIOPosix", "Glibc", "Dispatch", "CBluetooth"])
        // What shells that keep state have in common.
        case "MeshFiles": Layer(number: 4, outside: ["Glibc", "FoundationEssentials"])
        // The words of HTTP, and the only door to the library of HTTP, which knows no service.
        case "MeshHTTP": Layer(number: 4)
        case "MeshWeb":
            Layer(
                number: 4,
                outside: [
                    "Glibc", "Synchronization", "Logging", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTPTypes",
                    "HTTPTypes", "HummingbirdCore",
                ])
        // The only door to the library that unpacks captures, and to live ones.
        case "MeshCaptureIO": Layer(number: 4, outside: ["Glibc", "CZlib", "Synchronization", "CPcap"])
        // What observers heard, in the files of their tools.
        case "MeshRecords": Layer(number: 4)
        // Seeds run on threads of its own. Its apps send again as the stack's services do, by the plan of MeshCore.
        case "MeshWorlds":
            Layer(number: 4, outside: ["FoundationEssentials", "Dispatch", "Glibc", "Synchronization"])
        case "MeshEmulator": Layer(number: 4, outside: shellLibraries)
        // The only door to D-Bus.
        case "MeshBus": Layer(number: 4, outside: ["Dispatch", "Glibc", "Synchronization", "CDBus", "CBus"])
        default: app(of: module)
        }
    }

    /// The row of a module of an app, which is of layer 4 too.
    private static func app(of module: String) -> Layer? {
        switch module {
        // The only door to SQLite for an app.
        case "MeshStore":
            Layer(number: 4, outside: ["FoundationEssentials", "Glibc", "Synchronization", "CSQLite"])
        case "PocketMeshServices":
            Layer(number: 4, outside: ["FoundationEssentials", "Observation", "Synchronization", "Logging"])
        case "MeshDesktop": Layer(number: 4, outside: ["FoundationEssentials", "Glibc", "CTurboJPEG"])
        // Shows the stack without drawing; no simulator and no link below it. The only door to the library of QR codes.
        case "PocketMeshUI":
            Layer(number: 4, outside: ["FoundationEssentials", "Observation", "Synchronization", "CQRCode"])
        // The app in a browser: its API and its pages, without the server in front of them.
        case "PocketMeshWeb": Layer(number: 4, outside: ["FoundationEssentials"])
        default: nil
        }
    }

    /// The row of a module of layer 5.
    private static func bench(of module: String) -> Layer? {
        switch module {
        // Suites know reports, and no report knows a suite.
        case "MeshReports": Layer(number: 5)
        // Asks single radios; of suites and worlds it knows none.
        case "MeshVectors": Layer(number: 5)
        // The radios of a user; what they are used for is above them.
        case "MeshBoards": Layer(number: 5, outside: ["Glibc"])
        // Holds radios against the protocol without an app's stack and its database.
        case "MeshCompliance": Layer(number: 5, outside: ["FoundationEssentials", "Glibc"])
        // The same for the nodes that have no app.
        case "MeshRoleCompliance": Layer(number: 5)
        // Holds releases against each other, by suites and by studies.
        case "MeshReleases": Layer(number: 5)
        // A scenario may run a whole stack, on a time of its own.
        case "MeshScenarios":
            Layer(number: 5, outside: ["FoundationEssentials", "Dispatch", "Glibc", "Synchronization"])
        // Compares worlds; of the suites it knows none.
        // An app's retries are values of MeshCore, so a study needs no stack and no database.
        case "MeshStudy": Layer(number: 5, outside: ["Glibc"])
        // One import for all that authors need, and their command.
        case "MeshTestbed": Layer(number: 5, outside: commandLibraries + ["CBuild"])
        // What a control API is asked and answers: every language's words for a world.
        case "MeshControl": Layer(number: 5, outside: ["FoundationEssentials", "Synchronization"])
        default: command(of: module)
        }
    }

    /// The row of a module of layer 6 and above.
    private static func command(of module: String) -> Layer? {
        switch module {
        // Stories in the bench's words; nothing below it is theirs.
        case "Scenarios": Layer(number: 6)
        // What stores are measured against is the C library alone.
        case "meshbed": Layer(number: 7, outside: commandLibraries + ["CSQLite"])
        default: nil
        }
    }
}
