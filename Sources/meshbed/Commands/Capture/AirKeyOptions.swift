import ArgumentParser
import MeshCapture
import MeshWire

/// What opens encrypted links in captures of the air.
struct AirKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For captures of the air: the PIN typed when the devices were paired the old way.", valueName: "digits"))
    var pin: UInt32?

    @Option(
        name: .customLong("ltk"),
        help: ArgumentHelp(
            "For captures of the air: a long term key of the bonded devices, 16 bytes; can be repeated.",
            valueName: "hex"),
        transform: { try KeyArgument.read($0) })
    var keys: [FixedBytes<16>] = []

    var options: AirOptions { AirOptions(keys: keys, pin: pin) }

    func validate() throws {
        if let pin, pin > 999_999 { throw ValidationError("a PIN has six digits") }
    }
}
