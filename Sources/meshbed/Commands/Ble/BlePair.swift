import ArgumentParser
import Glibc
import MeshTestbed
import MeshTransports

/// `meshbed ble pair`: pairs with a radio, so that later links need no PIN.
struct BlePair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair with a radio, so that later links need no PIN.",
        discussion: """
            The PIN is that of the address (pin=), else that of \(BluetoothRadio.pinVariable), else it is asked for on \
            a terminal, else it is 123456. bluetoothd keeps the keys, or a file where the controller is ours alone.

            Examples:
              meshbed ble pair ble:MeshCore-alice
              MESHBED_PIN=654321 meshbed ble pair ble:C0:11:22:33:44:55

            Exit status: 0 when the link was encrypted and the radio's service answered, 2 when not.
            """)

    @Argument(help: "The radio: \(LinkAddress.bluetoothForm).", transform: { try Ble.radio($0) })
    var address: BluetoothRadio

    func run() throws {
        var radio = address
        if radio.lacksPIN, isatty(STDIN_FILENO) == 1 {
            guard let pin = HiddenLine.read("PIN that the radio shows (empty: 123456): ").flatMap(Self.pin) else {
                throw Console.failed("ble pair", "a PIN has six digits")
            }
            radio.pin = pin
        }
        do throws(LinkError) {
            close(try LinkDialer.descriptor(to: .bluetooth(radio)))
        } catch {
            throw Console.failed("ble pair", error)
        }
        Console.out("Paired with \(radio.peer).")
    }

    private static func pin(_ text: String) -> UInt32? {
        text.isEmpty ? BluetoothRadio.defaultPIN : BluetoothRadio.pin(text)
    }
}

/// A line that is typed and not shown.
enum HiddenLine {
    /// Asks on the terminal; `nil` at the end of input.
    static func read(_ prompt: String) -> String? {
        StandardError.prompt(prompt)
        let line = TerminalEcho.without { readLine() }
        // The end of the line that was typed was not shown either.
        StandardError.line("")
        return line
    }
}
