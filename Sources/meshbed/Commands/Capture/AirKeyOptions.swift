import ArgumentParser
import BluetoothCapture
import MeshWire

/// The keys that open encrypted links in captures of the air.
struct AirKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For captures of the air: the PIN of six digits typed when the devices were paired the old way.",
            valueName: "digits"), transform: AirKeyOptions.pin)
    var pin: UInt32?

    @Option(
        name: .customLong("ltk"),
        help: ArgumentHelp(
            "For captures of the air: a long term key of the bonded devices, 16 bytes; can be repeated.",
            valueName: "hex"),
        transform: { try KeyArgument.read($0) })
    var keys: [FixedBytes<16>] = []

    var options: AirOptions { AirOptions(keys: keys, pin: pin) }

    static func pin(_ text: String) throws -> UInt32 {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let pin = UInt32(text) else {
            throw ValidationError("'\(text)' is not a PIN; a PIN has six digits, leading zeros included")
        }
        return pin
    }
}
