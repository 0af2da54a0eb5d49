import ArgumentParser
import MeshTransports

/// `meshbed ble forget`: removes the keys of a radio.
struct BleForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove the keys that this machine has of a radio.",
        discussion: """
            The next link pairs again, with the PIN. Keys are removed from bluetoothd, or from the file of a \
            controller that is ours alone.

            Examples:
              meshbed ble forget ble:MeshCore-alice
              meshbed ble forget 'ble:C0:11:22:33:44:55?via=hci1&mode=exact'

            Exit status: 0 when keys were removed, 1 when there were none, 2 when that could not be done.
            """)

    @Argument(help: "The radio: \(LinkAddress.bluetoothForm).", transform: { try Ble.radio($0) })
    var address: BluetoothRadio

    func run() throws {
        let isForgotten: Bool
        do throws(LinkError) {
            isForgotten = try BluetoothBonds.forget(address)
        } catch {
            throw Console.failed("ble forget", error)
        }
        guard isForgotten else {
            Console.note("There are no keys of \(address.peer).")
            throw ExitCode(1)
        }
        Console.out("Forgot \(address.peer).")
    }
}
