import ArgumentParser
import MeshVectors

/// `meshbed capture dissector`: the script with which Wireshark shows MeshCore.
struct CaptureDissector: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissector",
        abstract: "Write a Lua script by which Wireshark and tshark show packets and frames.",
        discussion: """
            Fields have the firmware's names, as in meshcore.packet.path_len. The script is made of the tables that \
            this program reads frames with. It shows packets in LoRaTap headers, frames over TCP (any on port 5000, and \
            those that look like frames on others), and frames over Bluetooth.

            Examples:
              meshbed capture dissector -o meshcore.lua
              tshark -X lua_script:meshcore.lua -r air.pcap -Y meshcore.advert.name

            Exit status: 0, or 2 when the file cannot be written.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the script to this file, in place of standard output.", valueName: "file"))
    var output: String?

    func run() throws {
        try Console.write(DissectorScript.text, to: output, by: "capture dissector")
    }
}
