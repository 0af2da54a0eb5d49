import ArgumentParser
import MeshCompanion
import MeshCrypto
import MeshPacket

/// `meshbed decode`: bytes, field by field.
struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print companion frames and on-air packets field by field.",
        discussion: """
            Examples:
              meshbed decode frame 0BF2440D0024F400000805
              meshbed decode packet --channel '#bot' \\\\
                1505c3b1c7ce42cabfcb1b4967062bad7f9dcb3f8f9bfa5e8f00
              meshbed decode packet --json < packets.txt
              meshbed decode packet --from observers.jsonl

            Exit status: 0 when everything could be read, 1 when something was malformed, 2 when the arguments were \
            not understood.
            """,
        subcommands: [Frame.self, Packet.self])

    /// The options that both kinds have.
    struct Input: ParsableArguments {
        @Argument(
            help: ArgumentHelp(
                "One frame or packet each, in hex; '-' or nothing reads lines from standard input, where blank lines "
                    + "and what follows a # are skipped.", valueName: "hex"))
        var hex: [String] = []

        @Flag(help: "Print one JSON object a line.")
        var json = false
    }
}

extension Decode {
    /// `meshbed decode frame`.
    struct Frame: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print frames between app and radio, without the stream's < or > and length in front.",
            discussion: """
                Without --to-radio or --from-radio the direction is the one in which the frame is valid. A frame that \
                is valid both ways counts as a command, and is marked as a guess. Unknown codes keep their bytes.

                Examples:
                  meshbed decode frame 0BF2440D0024F400000805
                  meshbed decode frame --from-radio 09d1f4f566 82

                Exit status: 0 when everything could be read, 1 when something was malformed.
                """)

        enum Direction: String, EnumerableFlag {
            case toRadio
            case fromRadio

            static func name(for value: Direction) -> NameSpecification { .long }

            static func help(for value: Direction) -> ArgumentHelp? {
                switch value {
                case .toRadio: "The frames were sent by the app."
                case .fromRadio: "The frames were sent by the radio."
                }
            }
        }

        @OptionGroup var input: Input
        @Flag var direction: Direction?

        func run() throws {
            let decoder = FrameDecoder(direction: direction.map { $0 == .toRadio ? .toRadio : .toApp })
            if !input.decode(with: decoder) { throw ExitCode(1) }
        }
    }

    /// `meshbed decode packet`.
    struct Packet: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print packets from the air, and open those with a known key.",
            discussion: """
                The command opens packets of the channel Public. For other channels give --channel NAME=KEY with 16 \
                or 32 bytes of hex, or --channel '#hashtag'. For packets to one node give --private-key with its \
                64-byte key, and --peer with the public key of the other node. Unknown types keep their bytes.

                Lines from the console of a repeater that prints each packet are read as they are: those with RAW \
                have the bytes, and the others are skipped.

                Examples:
                  meshbed decode packet --channel '#bot' \\\\
                    1505c3b1c7ce42cabfcb1b4967062bad7f9dcb3f8f9bfa5e8f00
                  meshbed decode packet --channel Team=000102030405060708090a0b0c0d0e0f \\
                    < packets.txt

                Exit status: 0 when everything could be read, 1 when something was malformed.
                """)

        @OptionGroup var input: Input

        @Option(
            name: .customLong("from"),
            help: ArgumentHelp(
                "A file with packets in any of these forms; '-' is standard input; can be repeated.", valueName: "file")
        )
        var files: [String] = []

        @Option(
            name: .customLong("channel"),
            help: ArgumentHelp("A channel whose packets are opened; can be repeated.", valueName: "name=key|#hashtag"),
            transform: ChannelArgument.read)
        var channels: [PacketPrinter.Channel] = []

        @Option(
            name: .customLong("private-key"),
            help: ArgumentHelp("A node's private key, 64 bytes of hex; can be repeated.", valueName: "hex"),
            transform: { LocalIdentity(privateKey: try KeyArgument.read($0)) })
        var identities: [LocalIdentity] = []

        @Option(
            name: .customLong("peer"),
            help: ArgumentHelp(
                "A public key such a node may talk to, 32 bytes of hex; can be repeated.", valueName: "hex"),
            transform: { try KeyArgument.read($0) })
        var peers: [PublicKey] = []

        @Flag(help: "The packets are stored or shared cards, which follow other rules than those heard by a radio.")
        var blob = false

        func validate() throws {
            guard files.isEmpty || input.hex.isEmpty else {
                throw ValidationError("--from reads files, so no packets are given as arguments beside it")
            }
        }

        func run() throws {
            let printer = PacketPrinter(
                channels: channels + [ChannelArgument.publicChannel], identities: identities, peers: peers)
            let decoder = PacketDecoder(printer: printer, source: blob ? .blob : nil)
            guard !files.isEmpty else {
                if !input.decode(with: decoder) { throw ExitCode(1) }
                return
            }
            var output = DecodedOutput(isJSON: input.json)
            for file in files { output.printFile(file, with: decoder) }
            if !output.isClean { throw ExitCode(1) }
        }
    }
}
