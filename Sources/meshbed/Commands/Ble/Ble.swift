import ArgumentParser

/// `meshbed ble`: the Bluetooth of this machine.
struct Ble: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look after the Bluetooth of this machine.",
        discussion: """
            Examples:
              meshbed ble doctor
            """,
        subcommands: [BleDoctor.self])
}
