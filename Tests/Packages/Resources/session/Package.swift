// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "radio-name",
    dependencies: [.package(name: "meshbed", path: "../../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "RadioName",
            dependencies: [
                .product(name: "MeshCore", package: "meshbed"), .product(name: "MeshTransports", package: "meshbed"),
            ])
    ]
)
