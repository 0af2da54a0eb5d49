// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: no warnings, and the upcoming features on.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The commit for `meshbed --version`, which `ci/build` names. `Context.gitInformation` would name an old one: SwiftPM keeps
/// what a manifest came to until its text or the environment changes.
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
                "MeshTestbed", "MeshWorlds", "MeshReports", "MeshCompliance", "MeshScenarios", "MeshStudy",
                "ScenarioTool",
            ]),
        .library(name: "MeshCore", targets: ["MeshCore"]),
        .library(name: "MeshTransports", targets: ["MeshTransports"]),
        .library(name: "PocketMeshServices", targets: ["PocketMeshServices", "MeshStore"]),
        .library(name: "MeshPictures", targets: ["MeshPictures"]),
        .library(name: "MeshDesktop", targets: ["MeshDesktop"]),
        .library(name: "PocketMeshUI", targets: ["PocketMeshUI", "PocketMeshServices", "MeshStore"]),
        .executable(name: "meshbed", targets: ["meshbed"]),
    ],
    traits: [
        // Packages that take the libraries alone leave it off with `traits: []`: nothing of a server is then compiled, and
        // what needs one says so.
        .default(enabledTraits: ["Web"]),
        .trait(
            name: "Web",
            description: "The control API, the app and the studio: a server of HTTP, which needs Hummingbird."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
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
        // Bluetooth low energy as packets, for those who read captures and for both ends of a link.
        module("MeshBluetoothHost", ["MeshWire", "MeshTime", "MeshCrypto"]),
        // Layer 2: cores
        module("MeshFirmware", ["MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion"]),
        // Layer 3: worlds
        // Rounding is the C library's on some processors; the layers below do without.
        module(
            "MeshSimulator",
            ["MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware"],
            libraries: ["m"]),
        // Intervals, verdicts and samples; rounding and roots are the C library's on some processors.
        module("MeshStatistics", ["MeshWire"], libraries: ["m"]),
        // What we record.
        module("MeshCapture", ["MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion"]),
        // What other tools recorded, and recordings of it. An app that only records its own link does without.
        module(
            "BluetoothCapture",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshBluetoothHost", "MeshCapture",
            ]),
        // Bluetooth controllers and the time that a connection takes, for hosts in one process.
        module("MeshBluetoothAir", ["MeshWire", "MeshTime", "MeshBluetoothHost"]),
        // Layer 4: stack and shells
        module("MeshVirtualTime", ["MeshTime"]),
        // The only door to D-Bus.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        module("MeshBus", ["CDBus"]),
        module("MeshCore", ["MeshWire", "MeshCrypto", "MeshPacket", "MeshCompanion"]),
        // The only door to sockets, serial lines, terminals and radios over Bluetooth, and so to BlueZ's libbluetooth. That is
        // reached through functions of ours: its headers would be in the way of the C library's own.
        .systemLibrary(name: "CBlueZ", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .target(name: "CBluetooth", dependencies: ["CBlueZ"]),
        module(
            "MeshLinks",
            [
                "MeshWire", "MeshTime", "MeshCompanion", "MeshBluetoothHost", "MeshFiles", "MeshBus", "CBluetooth",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        // An app that links it carries no simulator.
        module(
            "MeshTransports",
            [
                "MeshTime", "MeshCompanion", "MeshCapture", "MeshCore", "MeshLinks",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
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
        module("MeshCaptureFiles", ["MeshCapture", "BluetoothCapture", "CZlib"]),
        // The only door to libpcap; a program that records nothing live does without.
        .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        module("MeshBluetooth", ["BluetoothCapture", "MeshFiles", "CPcap"]),
        // Worlds, their traces and pictures: the simulator is all that they know of radios.
        module(
            "MeshWorlds",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshSimulator", "MeshFiles", "MeshCore",
            ]),
        module(
            "MeshEmulator",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshPacket", "MeshCompanion", "MeshBluetoothHost",
                "MeshBluetoothAir", "MeshFirmware", "MeshSimulator", "MeshWorlds", "MeshCapture", "MeshCore",
                "MeshLinks", "MeshBus", "MeshFiles", "MeshTransports",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        // The only door to the database library.
        module(
            "MeshStore",
            [
                "MeshWire", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshCore", "MeshFiles",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        module(
            "PocketMeshServices",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshCore", "MeshFiles",
                "MeshStore",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // The only door to the JPEG library; the stack builds without it.
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        module("MeshPictures", ["PocketMeshServices", "CTurboJPEG"]),
        module("MeshDesktop", ["MeshBus", "PocketMeshServices"]),
        // What an app shows and does, without drawing: view models, presentation values and their texts.
        module(
            "PocketMeshUI",
            [
                "MeshWire", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshCore", "MeshFiles", "PocketMeshServices",
            ],
            resources: [.embedInCode("Texts/en.json")]),
        // The app in a browser: its pages, and its view models in words of HTTP.
        module(
            "PocketMeshWeb", ["MeshFiles", "MeshHTTP", "PocketMeshUI"],
            // In the program itself: pages need no file beside it.
            resources: [.embedInCode("Pages")]),
        // Layer 5: bench
        // Suites convert themselves into reports; a report knows no suite.
        module("MeshReports", ["MeshWire", "MeshTime", "MeshPacket", "MeshCompanion", "MeshFiles"]),
        // What happened, packed for a browser, and the pages that show it.
        module(
            "MeshPlayer",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshCapture", "MeshFiles", "MeshCaptureFiles", "MeshWorlds", "MeshReports",
            ],
            // In the program itself: an exported file needs none beside it.
            resources: [.embedInCode("Pages")]),
        // Paired experiments on worlds.
        module(
            "MeshStudy",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshCompanion", "MeshFirmware", "MeshSimulator", "MeshFiles",
                "MeshWorlds", "MeshReports", "MeshStatistics", "MeshCore",
            ]),
        // Worlds of observed networks: import, comparison with what was observed, fits.
        module(
            "MeshTwin",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshPacket", "MeshFirmware", "MeshSimulator", "MeshFiles",
                "MeshWorlds", "MeshReports", "MeshStatistics",
            ]),
        module(
            "MeshCompliance",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshBluetoothHost", "MeshBluetoothAir", "MeshSimulator", "MeshCapture", "MeshLinks", "MeshFiles",
                "MeshEmulator", "MeshReports",
            ],
            // In the program itself: `meshbed comply` needs no file beside it.
            resources: [.embedInCode("Conversations/Recorded")]),
        module(
            "MeshScenarios",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshCapture", "MeshVirtualTime", "MeshCore", "MeshLinks", "MeshTransports", "MeshFiles",
                "MeshCaptureFiles", "MeshEmulator", "PocketMeshServices", "MeshWorlds", "MeshReports", "MeshCompliance",
            ]),
        // Benchmarks and kills: for the command and the tests, no product of its own.
        module(
            "MeshLab",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshSimulator", "MeshBluetoothAir", "MeshCapture", "BluetoothCapture", "MeshVirtualTime", "MeshCore",
                "MeshLinks", "MeshTransports", "MeshFiles", "MeshCaptureFiles", "MeshEmulator", "PocketMeshServices",
                "MeshScenarios", .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        // A running world that is steered, in words of HTTP.
        .target(
            name: "MeshControl",
            dependencies: [
                "MeshWire", "MeshTime", "MeshPacket", "MeshFirmware", "MeshSimulator", "MeshCapture", "MeshTransports",
                "MeshWorlds", "MeshEmulator", "MeshFiles", "MeshHTTP", "MeshPlayer",
            ],
            resources: [.embedInCode("openapi.json")], swiftSettings: strict),
        // What authors of scenarios need, with one import.
        module("MeshTestbed", ["MeshWorlds", "MeshReports", "MeshCompliance", "MeshScenarios", "MeshStudy"]),
        // The commit of the build.
        .target(name: "CBuild", cSettings: identity),
        // Layer 6: scenarios, and the command that plays them, also for packages of other people's
        .target(
            name: "Scenarios", dependencies: ["MeshTestbed"], path: "Scenarios", exclude: ["Studies"],
            swiftSettings: strict),
        module(
            "ScenarioTool",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshFiles", "MeshReports", "MeshPlayer", "MeshWorlds",
                "MeshCompliance", "MeshScenarios", "MeshStudy", "CBuild",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Layer 7: products
        .executableTarget(
            name: "meshbed",
            dependencies: [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshSimulator",
                "MeshBluetoothHost", "MeshBluetoothAir", "MeshCapture", "BluetoothCapture", "MeshCore", "MeshLinks",
                "MeshTransports",
                "MeshFiles", "MeshCaptureFiles", "MeshBluetooth", "MeshEmulator", "PocketMeshServices",
                "PocketMeshUI", "MeshPictures", "MeshDesktop", "MeshWorlds", "MeshReports",
                "MeshCompliance", "MeshScenarios", "MeshLab", "MeshStudy", "MeshTwin", "MeshControl", "MeshPlayer",
                "MeshHTTP", "MeshWeb", "PocketMeshWeb", "Scenarios", "ScenarioTool",
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
                "MeshSimulator", "MeshBluetoothHost", "MeshBluetoothAir", "MeshCapture", "BluetoothCapture",
                "MeshVirtualTime", "MeshCore",
                "MeshLinks", "MeshTransports", "MeshFiles", "MeshCaptureFiles", "MeshBluetooth", "MeshEmulator",
                "MeshStore", "PocketMeshServices", "MeshPictures", "PocketMeshUI",
                "MeshDesktop", "MeshWorlds", "MeshReports", "MeshCompliance", "MeshScenarios", "MeshLab", "MeshTestbed",
                "MeshHTTP", "MeshControl", "MeshPlayer", "MeshWeb", "PocketMeshWeb", "Scenarios", "MeshTestSupport",
            ]),
        tests("MeshStatisticsTests", ["MeshStatistics", "MeshTime"], exclude: ["oracle.py"]),
        tests(
            "MeshStudyTests",
            [
                "MeshStudy", "MeshStatistics", "MeshFirmware", "MeshSimulator", "MeshTime", "MeshWorlds",
                "MeshFiles", "MeshCore", "MeshPacket", "MeshCompanion", "CAllocationTestSupport",
            ]),
        tests(
            "MeshTwinTests",
            [
                "MeshTwin", "MeshRadio", "MeshFirmware", "MeshSimulator", "MeshTime", "MeshFiles", "MeshWorlds",
            ]),
        tests("MeshRadioTests", ["MeshRadio", "MeshTestSupport"]),
        tests("MeshCryptoTests", ["MeshWire", "MeshCrypto", "MeshTestSupport"], resources: [.copy("Resources")]),
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
                "MeshEmulator", "PocketMeshServices", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/StackTestSupport",
            swiftSettings: strict
        ),
        tests("MeshWireTests", ["MeshWire", "MeshTime", "MeshTestSupport"]),
        tests(
            "MeshPacketTests", ["MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshTestSupport"],
            resources: [.copy("Resources")]),
        tests(
            "MeshCompanionTests", ["MeshWire", "MeshTime", "MeshPacket", "MeshCompanion", "MeshTestSupport"],
            resources: [.copy("Resources")]),
        tests(
            "MeshbedTests",
            [
                "meshbed", "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshEmulator", "MeshSimulator", "MeshCapture", "BluetoothCapture",
                "MeshVirtualTime", "MeshCore", "MeshLinks", "MeshTransports", "MeshCaptureFiles", "MeshBluetooth",
                "PocketMeshServices", "MeshPictures", "MeshFiles", "MeshTestbed",
                "ScenarioTool", "MeshTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        tests("MeshVirtualTimeTests", ["MeshVirtualTime", "MeshTime"]),
        tests(
            "MeshCoreTests",
            [
                "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshVirtualTime", "MeshCore",
                "MeshTestSupport",
            ]),
        tests(
            "MeshLinksTests",
            [
                "MeshLinks", "MeshBus", "MeshBluetoothHost", "MeshCompanion", "MeshFiles", "MeshTime", "MeshWire",
                "MeshTestSupport",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        tests(
            "MeshTransportsTests",
            [
                "MeshWire", "MeshTime", "MeshPacket", "MeshCompanion", "MeshFirmware", "MeshSimulator",
                "MeshVirtualTime", "MeshCapture", "MeshCore", "MeshLinks", "MeshTransports", "MeshEmulator",
                "MeshTestSupport",
            ]),
        tests(
            "MeshEmulatorTests",
            [
                "MeshEmulator", "MeshBluetoothHost", "MeshCapture", "MeshRadio", "MeshCompanion", "MeshSimulator",
                "MeshFirmware", "MeshLinks", "MeshBus", "MeshTime", "MeshWire", "MeshWorlds", "MeshTestSupport",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        tests(
            "MeshSimulatorTests",
            [
                "MeshSimulator", "MeshFirmware", "MeshCompanion", "MeshRadio", "MeshTime", "MeshWire",
                "MeshTestSupport",
            ]),
        tests(
            "MeshFirmwareTests",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshTestSupport",
            ],
            resources: [.copy("Resources")]),
        tests(
            "MeshStoreTests",
            [
                "MeshStore", "MeshVirtualTime", "MeshWire", "MeshTime", "MeshPacket", "MeshCompanion",
                "MeshTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            resources: [.copy("Resources")]),
        tests(
            "ServiceStackTests",
            [
                "PocketMeshServices", "MeshStore", "MeshCore", "MeshTransports", "MeshEmulator", "MeshSimulator",
                "MeshCapture",
                "MeshFirmware", "MeshVirtualTime", "MeshWire", "MeshTime", "MeshCrypto", "MeshPacket", "MeshCompanion",
                "MeshTestSupport", "StackTestSupport",
                .product(name: "Logging", package: "swift-log"), .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        tests(
            "ScenariosTests",
            [
                "Scenarios", "MeshTestbed", "MeshWorlds", "MeshReports", "MeshScenarios", "MeshPacket", "MeshTime",
                "MeshCore", "MeshEmulator", "MeshLinks", "MeshSimulator", "MeshFirmware", "MeshWire",
                "PocketMeshServices",
            ]),
        tests(
            "MeshCaptureTests",
            ["MeshCapture", "MeshWire", "MeshTime", "MeshPacket", "MeshCompanion", "MeshTestSupport"]),
        tests(
            "MeshBluetoothHostTests", ["MeshBluetoothHost", "MeshCrypto", "MeshWire", "MeshTime", "MeshTestSupport"]),
        tests("MeshBluetoothAirTests", ["MeshBluetoothAir", "MeshBluetoothHost", "MeshWire", "MeshTime"]),
        tests(
            "BluetoothCaptureTests",
            ["BluetoothCapture", "MeshBluetoothHost", "MeshCapture", "MeshWire", "MeshTime", "MeshCompanion"],
            resources: [.copy("Resources")]),
        tests(
            "MeshCaptureFilesTests",
            ["MeshCaptureFiles", "MeshCapture", "BluetoothCapture", "MeshTime", "MeshTestSupport"]),
        tests("MeshBluetoothTests", ["MeshBluetooth", "BluetoothCapture", "MeshCapture"]),
        tests("MeshHTTPTests", ["MeshHTTP", "MeshFiles"]),
        tests(
            "MeshWebTests",
            ["MeshWeb", "MeshHTTP", "MeshTestSupport", onWeb("NIOCore", package: "swift-nio")]),
        tests(
            "PocketMeshWebTests",
            [
                "PocketMeshWeb", "MeshHTTP", "MeshCore", "MeshTransports", "PocketMeshUI", "MeshTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        tests(
            "MeshControlTests",
            [
                "MeshControl", "MeshHTTP", "MeshEmulator", "MeshFirmware", "MeshSimulator", "MeshWorlds", "MeshTime",
                "MeshTestSupport",
            ]),
        tests(
            "MeshPlayerTests",
            [
                "MeshPlayer", "MeshCapture", "MeshCompanion", "MeshControl", "MeshHTTP", "MeshEmulator", "MeshFirmware",
                "MeshReports", "MeshSimulator", "MeshWorlds", "MeshTime",
            ]),
        tests("MeshBusTests", ["MeshBus", "MeshTestSupport"]),
        tests("MeshDesktopTests", ["MeshBus", "MeshDesktop", "PocketMeshServices", "MeshTestSupport"]),
        tests(
            "PocketMeshUITests",
            [
                "PocketMeshUI", "PocketMeshServices", "MeshPictures", "MeshStore", "MeshCore", "MeshEmulator",
                "MeshSimulator", "MeshFirmware", "MeshVirtualTime", "MeshWire", "MeshTime", "MeshPacket",
                "MeshCompanion", "MeshTestSupport", "StackTestSupport",
            ]),
        tests("MeshPicturesTests", ["MeshPictures", "PocketMeshServices", "MeshTime", "MeshTestSupport"]),
        // Counts what the tests take from the heap.
        .target(name: "CAllocationTestSupport", path: "Tests/CAllocationTestSupport"),
        tests(
            "MeshTestbedTests",
            [
                "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
                "MeshSimulator", "MeshBluetoothAir", "MeshCapture", "MeshCaptureFiles", "MeshCore", "MeshLinks",
                "MeshTransports", "MeshFiles",
                "MeshEmulator", "MeshVirtualTime", "PocketMeshServices", "MeshWorlds", "MeshReports", "MeshCompliance",
                "MeshScenarios", "MeshLab", "MeshTestSupport", "CAllocationTestSupport",
            ],
            resources: [.copy("Resources")]),
    ],
    swiftLanguageModes: [.v6]
)
