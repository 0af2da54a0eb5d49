// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Radio",
    targets: [.target(name: "Radio"), .testTarget(name: "RadioTests", dependencies: ["Radio"])])
