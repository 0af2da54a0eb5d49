// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "chat-count",
    dependencies: [.package(name: "meshbed", path: "../../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "ChatCount",
            dependencies: [
                .product(name: "MeshCore", package: "meshbed"), .product(name: "PocketMeshUI", package: "meshbed"),
            ])
    ]
)
