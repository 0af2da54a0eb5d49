// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: no warnings, and the upcoming features on.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The commit for `meshbed --version`, which `ci/build` names. `Context.gitInformation` would name an old one: SwiftPM
/// keeps what a manifest came to until its text or the environment changes.
let identity: [CSetting] = [.define("MESHBED_COMMIT", to: "\"\(Context.environment["MESHBED_COMMIT"] ?? "")\"")]

/// A module of the layer diagram in the documentation; `Tests/ModularityTests` holds these arrows against the imports.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil, libraries: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: strict,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A library that is compiled where the trait `Web` is on.
func onWeb(_ product: String, package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Web"]))
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "meshbed",
    products: [
        // With the modules that it re-exports: `ci/api` compares those that a product names.
        .library(
            name: "MeshTestbed",
            targets: [
                "MeshTestbed", "MeshWorlds", "MeshReports", "MeshBoards", "MeshCompliance", "MeshScenarios",
                "MeshStudy",
            ]),
        .library(name: "MeshCore", targets: ["MeshCore"]),
        .library(name: "MeshTransports", targets: ["MeshTransports"]),
        .library(name: "PocketMeshServices", targets: ["PocketMeshServices", "MeshStore"]),
        .library(name: "MeshPictures", targets: ["MeshDesktop"]),
        .library(name: "MeshDesktop", targets: ["MeshDesktop"]),
        .library(name: "PocketMeshUI", targets: ["PocketMeshUI", "PocketMeshServices", "MeshStore"]),
        .executable(name: "meshbed", targets: ["meshbed"]),
    ],
    traits: [
        // Packages that take the libraries alone leave it off with `traits: []`: nothing of a server is then compiled,
        // and what needs one says so.
        .default(enabledTraits: ["Web"]),
        .trait(
            name: "Web",
            description: "The control API, the app and the studio: a server of HTTP, which needs Hummingbird."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // For the trait `Web` alone.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    ],
    targets: [
        // Layer 0: words
        module("MeshWire"),
        module("MeshTime"),
        module("MeshRadio", ["MeshWire"]),
        // Layer 1: protocol
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        module("MeshCrypto", ["MeshWire", "CSodium", "CLibCrypto"]),
        module("MeshPacket", ["MeshWire", "MeshCrypto"]),
        module("MeshCompanion", ["MeshWire", "MeshPacket"]),
        // Bluetooth low energy as packets, for those who read captures and for both ends of a link; and a model of what
        // is between two ends in one process.
        module("MeshBluetoothHost", ["MeshWire", "MeshTime", "MeshCrypto"]),
        // Layer 2: cores
        module("MeshFirmware", ["MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion"]),
        // Layer 3: worlds
        // Rounding is the C library's on some processors; the layers below do without.
        module(
            "MeshSimulator",
            ["MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware"],
            libraries: ["m"]),
        // What we record.
        module("MeshCapture", ["MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion"]),
        // What other tools recorded, and recordings of it. An app that only records its own link does without.
        module(
            "BluetoothCapture",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshBluetoothHost", "MeshCapture",
            ]),
        // Layer 4: stack and shells
        module("MeshVirtualTime", ["MeshTime"]),
        // The only door to D-Bus. Its library is looked up when a bus is asked for, by functions of ours with its
        // names.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "CBus", dependencies: ["CDBus"]),
        module("MeshBus", ["CDBus", "CBus"]),
        module("MeshCore", ["MeshWire", "MeshCrypto", "MeshPacket", "MeshCompanion"]),
        // The structures and numbers of the kernel's sockets for Bluetooth are in BlueZ's headers (Debian:
        // libbluetooth-dev), which would be in the way of the C library's own: functions of ours use them. Its library,
        // under the GPL, is not linked.
        .target(name: "CBluetooth"),
        // The only door to sockets, serial lines, terminals and radios over Bluetooth.
        // An app that links it carries no simulator.
        module(
            "MeshTransports",
            [
                "MeshWire", "MeshTime", "MeshCompanion", "MeshBluetoothHost", "MeshFiles", "MeshBus", "CBluetooth",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                "MeshCapture", "MeshCore",
            ]),
        module("MeshFiles"),
        // The words of HTTP: requests, answers, routes, pages. A service speaks them and knows no server.
        module("MeshHTTP", ["MeshFiles"]),
        // The only door to the library of HTTP; what it serves is none of its business.
        module(
            "MeshWeb",
            [
                "MeshHTTP",
                onWeb("HummingbirdCore", package: "hummingbird"),
                onWeb("HTTPTypes", package: "swift-http-types"),
                onWeb("NIOHTTPTypes", package: "swift-nio-extras"), onWeb("NIOCore", package: "swift-nio"),
                onWeb("NIOPosix", package: "swift-nio"), onWeb("NIOHTTP1", package: "swift-nio"),
                onWeb("Logging", package: "swift-log"),
            ]),
        // The only door to the library that unpacks captures.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // The only door to libpcap; a program that records nothing live does without.
        .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        // The only door to the libraries that unpack captures and that capture live.
        module(
            "MeshCaptureIO",
            ["MeshWire", "MeshTime", "MeshCapture", "BluetoothCapture", "CZlib", "MeshFiles", "CPcap"]),
        // What observers heard, in the files of their tools: they change with those tools.
        module(
            "MeshRecords",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshFirmware", "MeshCapture", "MeshFiles",
                "MeshCore",
            ]),
        // Worlds, their traces and pictures: the simulator is all that they know of radios.
        module(
            "MeshWorlds",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshSimulator", "MeshFiles", "MeshCore", "MeshRecords",
            ]),
        module(
            "MeshEmulator",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshPacket", "MeshCompanion", "MeshBluetoothHost", "MeshFirmware",
                "MeshSimulator", "MeshWorlds", "MeshCapture", "MeshCore", "MeshTransports", "MeshBus", "MeshFiles",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        // The only door to SQLite.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        module(
            "MeshStore",
            ["MeshWire", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshCore", "MeshFiles", "CSQLite"]),
        module(
            "PocketMeshServices",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshCore",
                "MeshFiles", "MeshStore",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // The only door to the JPEG library; the stack builds without it.
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        module("MeshDesktop", ["PocketMeshServices", "CTurboJPEG", "MeshBus"]),
        // The only door to the library of QR codes.
        .systemLibrary(name: "CQRCode", pkgConfig: "qrcodegen", providers: [.apt(["libqrcodegen-dev"])]),
        // What an app shows and does, without drawing: view models, presentation values and their texts.
        module(
            "PocketMeshUI",
            [
                "MeshWire", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshCore", "MeshFiles", "PocketMeshServices",
                "CQRCode",
            ],
            resources: [.embedInCode("Texts/en.json"), .embedInCode("Texts/de.json")]),
        // The app in a browser: its pages, and its view models in words of HTTP.
        module(
            "PocketMeshWeb", ["MeshFiles", "MeshHTTP", "PocketMeshUI"],
            // In the program itself: pages need no file beside it.
            resources: [.embedInCode("Pages")]),
        // Layer 5: bench
        // Suites convert themselves into reports; a report knows no suite.
        module("MeshReports", ["MeshWire", "MeshTime", "MeshPacket", "MeshCompanion", "MeshFiles"]),
        // Paired experiments on worlds, their figures, and worlds of observed networks.
        module(
            "MeshStudy",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshPacket", "MeshFirmware", "MeshSimulator", "MeshFiles",
                "MeshWorlds", "MeshReports", "MeshCrypto", "MeshCompanion", "MeshCore", "MeshRecords",
            ], libraries: ["m"]),
        // Packets and frames for authors of other programs, with the verdicts of the model.
        module(
            "MeshVectors",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshFiles",
            ],
            // In the program itself: `meshbed vectors` needs no file beside it.
            resources: [
                .embedInCode("Texts/README.md"), .embedInCode("Texts/vectors.schema.json"),
                .embedInCode("Texts/meshcore.lua"),
            ]),
        // The radios of a user, for suites, scenarios and commands alike.
        module(
            "MeshBoards",
            [
                "MeshWire", "MeshTime", "MeshCompanion", "MeshFirmware", "MeshSimulator", "MeshTransports", "MeshFiles",
            ]),
        module(
            "MeshCompliance",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshBluetoothHost", "MeshSimulator", "MeshCapture", "MeshTransports", "MeshFiles", "MeshEmulator",
                "MeshReports", "MeshBoards",
            ],
            // In the program itself: `meshbed comply` needs no file beside it.
            resources: [.embedInCode("Conversations/Recorded")]),
        // The same for repeaters, room servers and sensors, by their console and their air.
        module(
            "MeshRoleCompliance",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshTransports", "MeshSimulator", "MeshReports", "MeshBoards", "MeshCompliance",
            ]),
        // Two releases of the firmware, held against each other: the suites, stored state, and meshes on the way.
        module(
            "MeshReleases",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshFiles", "MeshWorlds", "MeshReports", "MeshBoards", "MeshCompliance", "MeshRoleCompliance",
                "MeshStudy",
            ]),
        module(
            "MeshScenarios",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshCapture", "MeshVirtualTime", "MeshCore", "MeshTransports", "MeshFiles", "MeshCaptureIO",
                "MeshEmulator", "PocketMeshServices", "MeshWorlds", "MeshReports", "MeshBoards", "MeshCompliance",
            ]),
        // A running world that is steered, in words of HTTP.
        .target(
            name: "MeshControl",
            dependencies: [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshCapture", "MeshFiles", "MeshCaptureIO", "MeshWorlds", "MeshReports", "MeshTransports",
                "MeshEmulator", "MeshHTTP",
            ],
            resources: [.embedInCode("openapi.json"), .embedInCode("Player/Pages")], swiftSettings: strict),
        // What authors of scenarios need, with one import.
        module(
            "MeshTestbed",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshFiles", "MeshReports", "MeshControl", "MeshWorlds",
                "MeshBoards", "MeshCompliance", "MeshScenarios", "MeshStudy", "CBuild",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The commit of the build.
        .target(name: "CBuild", cSettings: identity),
        // Layer 6: scenarios, and the command that plays them, also for packages of other people's
        .target(
            name: "Scenarios", dependencies: ["MeshTestbed"], path: "Scenarios", exclude: ["Studies"],
            swiftSettings: strict),
        // Layer 7: products
        .executableTarget(
            name: "meshbed",
            dependencies: [
                "MeshWire", "MeshTime", "MeshRadio", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshBluetoothHost", "MeshCapture", "BluetoothCapture", "MeshVirtualTime", "MeshCore", "MeshTransports",
                "MeshFiles", "MeshRecords", "MeshCaptureIO", "MeshEmulator", "PocketMeshServices", "MeshScenarios",
                "MeshBus",
                "CSQLite", "MeshCrypto", "PocketMeshUI", "MeshDesktop", "MeshWorlds", "MeshReports",
                "MeshBoards", "MeshCompliance", "MeshRoleCompliance", "MeshReleases", "MeshVectors", "MeshStudy",
                "MeshControl", "MeshHTTP", "MeshWeb", "PocketMeshWeb", "Scenarios", "MeshTestbed",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        // Tests
        tests("ModularityTests", []),
        tests(
            "DocumentationTests",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshSimulator", "MeshBluetoothHost", "MeshCapture", "BluetoothCapture", "MeshVirtualTime", "MeshCore",
                "MeshTransports", "MeshFiles", "MeshRecords", "MeshCaptureIO", "MeshEmulator", "MeshStore",
                "PocketMeshServices",
                "MeshDesktop", "PocketMeshUI", "MeshWorlds", "MeshReports", "MeshBoards", "MeshCompliance",
                "MeshRoleCompliance", "MeshReleases", "MeshScenarios", "meshbed", "MeshTestbed", "MeshHTTP",
                "MeshControl", "MeshWeb", "PocketMeshWeb", "Scenarios", "MeshTestSupport",
            ]),
        // Tests of layer 5: bench
        tests(
            "BenchTests",
            [
                "MeshStudy", "MeshTime", "MeshFirmware", "MeshSimulator", "MeshWorlds", "MeshFiles", "MeshCore",
                "MeshPacket", "MeshCompanion", "MeshRecords", "CAllocationTestSupport", "MeshRadio", "MeshControl",
                "MeshCapture",
                "MeshHTTP", "MeshEmulator", "MeshReports", "MeshTestSupport", "MeshWire", "MeshCrypto",
                "MeshBluetoothHost", "MeshCaptureIO", "MeshTransports", "MeshVirtualTime", "PocketMeshServices",
                "MeshBoards", "MeshCompliance", "MeshRoleCompliance", "MeshReleases", "MeshVectors", "MeshScenarios",
                "meshbed",
            ], exclude: ["MeshStatistics/oracle.py"], resources: [.copy("Resources")]),
        .target(
            name: "MeshTestSupport",
            dependencies: ["MeshWire", "MeshBus"],
            path: "Tests/MeshTestSupport",
            resources: [.copy("Resources")],
            swiftSettings: strict
        ),
        // Radios and stacks that tests of the stack stand on.
        .target(
            name: "StackTestSupport",
            dependencies: [
                "MeshWire", "MeshTime", "MeshPacket", "MeshCompanion", "MeshSimulator", "MeshVirtualTime", "MeshCore",
                "MeshTransports", "MeshEmulator", "PocketMeshServices", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/StackTestSupport",
            swiftSettings: strict
        ),
        // Tests of layers 0 and 1: words and protocol
        tests(
            "ProtocolTests",
            [
                "MeshWire", "MeshTime", "MeshTestSupport", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion",
                "MeshBluetoothHost",
            ], resources: [.copy("Resources")]),
        // Tests of layer 4: links, captures, emulator
        tests(
            "ShellTests",
            [
                "MeshVirtualTime", "MeshTime", "MeshBus", "MeshTestSupport", "MeshTransports", "MeshBluetoothHost",
                "MeshCompanion", "MeshFiles", "MeshWire", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), "MeshCaptureIO", "MeshCapture", "BluetoothCapture",
                "MeshEmulator", "MeshRadio", "MeshSimulator", "MeshFirmware", "MeshWorlds", "MeshRecords", "MeshCrypto",
                "MeshPacket", "StackTestSupport",
            ]),
        // Tests of layer 4: what an app stands on
        tests(
            "StackTests",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshVirtualTime",
                "MeshCore",
                "MeshTestSupport", "MeshFirmware", "MeshSimulator", "MeshCapture", "MeshTransports", "MeshEmulator",
                "MeshStore", "CSQLite", "MeshFiles", "MeshDesktop", "PocketMeshServices", "MeshBus", "PocketMeshUI",
                "StackTestSupport",
            ], resources: [.copy("Resources")]),
        // Tests of layer 3: worlds, recordings and captures
        tests(
            "WorldTests",
            [
                "MeshCrypto", "MeshSimulator", "MeshFirmware", "MeshCompanion", "MeshRadio", "MeshTime", "MeshWire",
                "MeshTestSupport", "MeshCapture", "MeshPacket", "BluetoothCapture", "MeshBluetoothHost",
            ], resources: [.copy("Resources")]),
        tests(
            "MeshFirmwareTests",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshTestSupport",
            ],
            resources: [.copy("Resources")]),
        tests(
            "ServiceStackTests",
            [
                "PocketMeshServices", "MeshStore", "MeshCore", "MeshTransports", "MeshEmulator", "MeshSimulator",
                "MeshCapture",
                "MeshRadio", "MeshFirmware", "MeshVirtualTime", "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket",
                "MeshCompanion",
                "MeshTestSupport", "StackTestSupport", "CProfileTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Tests of layers 6 and 7: scenarios, servers, the command
        tests(
            "ProductTests",
            [
                "Scenarios", "MeshTestbed", "MeshBoards", "MeshWorlds", "MeshReports", "MeshScenarios", "MeshPacket",
                "MeshTime",
                "MeshCore", "MeshEmulator", "MeshTransports", "MeshSimulator", "MeshFirmware", "MeshWire",
                "PocketMeshServices", "MeshHTTP", "MeshFiles", "PocketMeshWeb", "PocketMeshUI", "MeshTestSupport",
                .product(name: "Logging", package: "swift-log"), "MeshWeb", onWeb("NIOCore", package: "swift-nio"),
                "meshbed", "MeshCrypto", "MeshCompanion", "MeshCapture", "BluetoothCapture", "MeshVirtualTime",
                "MeshCaptureIO", "MeshRecords", "MeshDesktop", "MeshBus", "MeshBluetoothHost",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Counts what the tests take from the heap.
        .target(name: "CAllocationTestSupport", path: "Tests/CAllocationTestSupport"),
        // Says between which moments a build with coverage counts.
        .target(name: "CProfileTestSupport", path: "Tests/CProfileTestSupport"),
    ],
    swiftLanguageModes: [.v6]
)
