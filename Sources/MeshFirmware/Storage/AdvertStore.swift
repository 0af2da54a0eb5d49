import MeshCrypto
import MeshWire

/// The raw adverts that are kept for exporting and sharing contacts.
///
/// Boards with a directory give each node a file; nRF52 boards have one file of twenty records in which a new one
/// replaces the oldest and nothing is deleted. Source: `DataStore` of the companion; CMP-110, CMP-111.
struct AdvertStore {
    private static let recordsPath = "/adv_blobs"
    private static let recordCount = 20
    /// Time 4, key 7, length 1, packet 166, and two bytes that the compiler adds.
    private static let recordSize = 180
    private static let packetOffset = 12
    private static let shortest = 32 + 4 + 64

    let usesFiles: Bool
    let longest: Int

    init(board: BoardProfile) {
        usesFiles = board.deletesStoredAdverts
        longest = board.maxStoredAdvert
    }

    func load(_ key: PublicKey, from flash: Flash) -> [UInt8]? {
        if usesFiles {
            // An empty file is none.
            guard let file = flash[Self.path(of: key)], !file.isEmpty else { return nil }
            return [UInt8](file.prefix(255))
        }
        guard let file = flash[Self.recordsPath], let place = Self.place(of: key, in: file) else { return nil }
        let length = Int(file[place + 11])
        let start = place + Self.packetOffset
        guard length > 0, start + length <= file.count else { return nil }
        return [UInt8](file[start..<(start + length)])
    }

    /// Keeps a packet; returns the file that changed, with its new content.
    func store(
        _ packet: [UInt8], of key: PublicKey, at time: UInt32, in flash: Flash
    ) -> (path: String, content: [UInt8])? {
        guard packet.count <= longest else { return nil }
        if usesFiles { return (Self.path(of: key), packet) }
        guard packet.count >= Self.shortest else { return nil }
        var file = flash[Self.recordsPath] ?? []
        let size = Self.recordCount * Self.recordSize
        if file.count < size { file.append(contentsOf: repeatElement(0, count: size - file.count)) }
        let place = Self.place(of: key, in: file) ?? Self.oldest(in: file)
        withUnsafeBytes(of: time.littleEndian) { file.replaceSubrange(place..<(place + 4), with: $0) }
        file.replaceSubrange((place + 4)..<(place + 11), with: key.prefix(7))
        file[place + 11] = UInt8(packet.count)
        let start = place + Self.packetOffset
        file.replaceSubrange(start..<(start + packet.count), with: packet)
        return (Self.recordsPath, file)
    }

    /// The file to remove when a contact goes; `nil` on boards that keep it.
    func fileToRemove(_ key: PublicKey) -> String? {
        usesFiles ? Self.path(of: key) : nil
    }

    private static func path(of key: PublicKey) -> String {
        "/bl/" + [UInt8](key.prefix(8)).hex.uppercased()
    }

    private static func place(of key: PublicKey, in file: [UInt8]) -> Int? {
        stride(from: 0, to: file.count / recordSize * recordSize, by: recordSize).first { place in
            file[(place + 4)..<(place + 11)].elementsEqual(key.prefix(7))
        }
    }

    private static func oldest(in file: [UInt8]) -> Int {
        var chosen = 0
        var age = UInt32.max
        for place in stride(from: 0, to: recordCount * recordSize, by: recordSize) {
            let time = (0..<4).reduce(UInt32(0)) { $0 | UInt32(file[place + $1]) << (8 * UInt32($1)) }
            if time < age {
                age = time
                chosen = place
            }
        }
        return chosen
    }
}
