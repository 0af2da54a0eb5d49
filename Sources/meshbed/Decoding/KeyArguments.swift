import ArgumentParser
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

/// A key of a fixed size on the command line.
enum KeyArgument {
    static func read<let size: Int>(_ text: String) throws -> FixedBytes<size> {
        guard let key = FixedBytes<size>(hex: text) else {
            throw ValidationError("expected a key of \(size) bytes in hex")
        }
        return key
    }
}

/// A channel on the command line: `NAME=KEY`, or `#hashtag`, whose key follows from its name.
enum ChannelArgument {
    /// The channel that every radio has at factory settings.
    static let publicChannel = PacketPrinter.Channel(
        name: GroupChannel.publicChannel.name.text.description, secret: GroupChannel.publicChannel.secret)

    static func read(_ text: String) throws -> PacketPrinter.Channel {
        if let equals = text.lastIndex(of: "="), equals != text.startIndex {
            return PacketPrinter.Channel(
                name: String(text[..<equals]), secret: try secret(String(text[text.index(after: equals)...])))
        }
        guard text.hasPrefix("#"), text.utf8.count > 1 else {
            throw ValidationError("a channel is NAME=KEY with 16 or 32 bytes of hex, or #hashtag")
        }
        return PacketPrinter.Channel(name: text, secret: SharedSecret(channel: MeshHash.hashtagKey(text)))
    }

    private static func secret(_ hex: String) throws -> SharedSecret {
        if let short = ChannelKey(hex: hex) { return SharedSecret(channel: short) }
        guard let long = SharedSecret(hex: hex) else {
            throw ValidationError("a channel's key is 16 or 32 bytes of hex")
        }
        return long
    }
}
