import Glibc
package import MeshBluetoothHost
package import MeshFiles
import MeshWire

/// The peers that one side of Bluetooth links has paired with, as a text file that only its owner can read.
///
/// One line a peer, all numbers in hexadecimal. First address, its kind (`public` or `random`), key, diversifier,
/// random number, level and size of the key. Then the identity key or `-`, and the subscriptions as `HANDLE:BITS`. A
/// radio that was dialed by its name has `name=` and its bytes behind that. The keys are secrets: no error names them.
package struct BondFile: Sendable {
    /// The path of the file.
    package let path: String

    /// The reason why the file cannot be used; never a key.
    package enum Failure: Error {
        /// The system's reason.
        case unusable(FileSystem.Failure)
        /// The file has this error.
        case damaged(reason: String)
    }

    package init(path: String) {
        self.path = path
    }

    private static let header = "meshbed bonds 1"
    private static let limit = 64 * 1024

    /// The peers in the file; none where there is no file.
    package func load() throws(Failure) -> [BluetoothHost.KnownPeer] { try entries().map(\.peer) }

    /// The names by which radios were dialed, by their device addresses.
    package func names() throws(Failure) -> [UInt64: String] {
        var names: [UInt64: String] = [:]
        for entry in try entries() { names[entry.peer.bond.peer.number] = entry.name }
        return names
    }

    private typealias Entry = (peer: BluetoothHost.KnownPeer, name: String?)

    private func entries() throws(Failure) -> [Entry] {
        let bytes: [UInt8]
        do throws(FileSystem.Failure) {
            guard try FileSystem.kind(of: path) != nil else { return [] }
            bytes = try FileSystem.read(path, atMost: Self.limit)
        } catch {
            throw .unusable(error)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == Self.header else {
            throw .damaged(reason: "its first line is not \"\(Self.header)\"")
        }
        var entries: [Entry] = []
        for (number, line) in lines.enumerated().dropFirst() {
            guard let entry = Self.entry(line) else {
                throw .damaged(reason: "line \(number + 1) is no bond")
            }
            entries.append(entry)
        }
        return entries
    }

    /// Replaces the peers in the file by these.
    ///
    /// - Parameter names: the names by which radios were dialed, by their device addresses.
    package func store(
        _ peers: [BluetoothHost.KnownPeer], names: [UInt64: String] = [:]
    ) throws(FileSystem.Failure) {
        let lines = peers.map { Self.line($0, names[$0.bond.peer.number]) }
        let text = ([Self.header] + lines).joined(separator: "\n") + "\n"
        if let slash = path.lastIndex(of: "/") {
            let directory = String(path[..<slash])
            if try FileSystem.kind(of: directory) == nil { try FileSystem.makeDirectory(directory) }
        }
        try FileSystem.replace(path, with: Array(text.utf8))
    }

    /// The file of a central with this controller, in the user's state folder; `nil` where there is no such folder.
    package static func ofCentral(
        _ controller: BluetoothController, in environment: [String: String]
    ) -> BondFile? {
        guard let folder = UserFolders.state(in: environment) else { return nil }
        // One file each: the addresses of controllers are not known before they are opened.
        return BondFile(path: "\(folder)/bluetooth/\(UserFolders.fileName("\(controller)")).bonds")
    }

    // MARK: Lines

    private static let namePrefix = "name="

    private static func line(_ peer: BluetoothHost.KnownPeer, _ name: String?) -> String {
        let bond = peer.bond
        var words = [
            bond.peer.bytes.hex, bond.peer.isRandom ? "random" : "public", bond.longTermKey.array.hex,
            String(bond.diversifier, radix: 16), String(bond.random, radix: 16), String(bond.level.rawValue, radix: 16),
            String(bond.keySize, radix: 16), bond.identityKey?.array.hex ?? "-",
        ]
        words += peer.subscriptions.map {
            String($0.value, radix: 16) + ":" + String($0.configuration.rawValue, radix: 16)
        }
        if let name { words.append(namePrefix + Array(name.utf8).hex) }
        return words.joined(separator: " ")
    }

    private static func entry(_ line: Substring) -> Entry? {
        var words = line.split(separator: " ")
        var name: String?
        if let last = words.last, last.hasPrefix(namePrefix) {
            guard let bytes = [UInt8](hex: String(last.dropFirst(namePrefix.count))), !bytes.isEmpty,
                let text = String(validating: bytes, as: UTF8.self)
            else { return nil }
            name = text
            words.removeLast()
        }
        return peer(words).map { ($0, name) }
    }

    private static func peer(_ words: [Substring]) -> BluetoothHost.KnownPeer? {
        guard words.count >= 8, let address = UInt64(words[0], radix: 16), ["random", "public"].contains(words[1]),
            let longTermKey = key(words[2]), let diversifier = UInt16(words[3], radix: 16),
            let random = UInt64(words[4], radix: 16),
            let level = UInt8(words[5], radix: 16).flatMap(SecurityLevel.init(rawValue:)),
            let size = UInt8(words[6], radix: 16), 7...16 ~= size
        else { return nil }
        let identity = key(words[7])
        guard identity != nil || words[7] == "-" else { return nil }
        let bond = Bond(
            peer: BluetoothAddress(number: address, isRandom: words[1] == "random"), longTermKey: longTermKey,
            diversifier: diversifier, random: random, level: level, keySize: size, identityKey: identity)
        var subscriptions: [ATT.Subscription] = []
        for word in words.dropFirst(8) {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let handle = UInt16(parts[0], radix: 16), let bits = UInt16(parts[1], radix: 16)
            else { return nil }
            subscriptions.append(.init(value: handle, configuration: .init(rawValue: bits)))
        }
        return BluetoothHost.KnownPeer(bond: bond, subscriptions: subscriptions)
    }

    private static func key(_ word: Substring) -> FixedBytes<16>? {
        guard word.utf8.count == 32, let bytes = [UInt8](hex: String(word)) else { return nil }
        return FixedBytes<16>(bytes)
    }
}
