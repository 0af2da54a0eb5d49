import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Synchronization

@testable import PocketMeshServices

/// Pictures, chunks and radios for tests.
enum Pictures {
    /// Makes this number of bytes that begin as a JPEG does.
    static func jpeg(_ count: Int, seed: UInt64 = 1) -> Data {
        var stream = Seed(seed).stream("picture")
        return Data([0xFF, 0xD8, 0xFF, 0xE0] + (4..<max(4, count)).map { _ in stream.nextByte() })
    }

    /// The chunks of a picture from a sender that is known by one number.
    static func chunks(_ data: Data, from sender: UInt8, imageID: UInt32 = 7, size: Int = 136) -> [ImageChunk] {
        let image = OutgoingImage(
            [UInt8](data), sender: FixedBytes(repeatElement(sender, count: 6)), imageID: imageID, chunkBytes: size)
        return (0..<image.total).map(image.chunk)
    }

    static func push(_ chunk: ImageChunk) -> [UInt8] {
        Push.RawData(snr: 40, rssi: -80, payload: chunk.written()).encoded()
    }
}

/// A scripted radio that accepts raw data, and keeps what it accepted.
final class RawRadio: Sendable {
    private struct State {
        var written: [ImageChunk] = []
        var taken: [ImageChunk] = []
        var paths: [[UInt8]] = []
    }

    enum Answer: Sendable {
        case ok, tableFull, refused
        /// The radio accepts the chunk, and its OK is lost.
        case silence
    }

    private let state = Mutex(State())
    /// The answer by the number of writes before this one, and the chunk.
    private let judge: @Sendable (Int, ImageChunk) -> Answer

    init(_ judge: @escaping @Sendable (Int, ImageChunk) -> Answer = { _, _ in .ok }) {
        self.judge = judge
    }

    /// Every chunk that was written, in order.
    var written: [ImageChunk] { state.withLock { $0.written } }
    var paths: [[UInt8]] { state.withLock { $0.paths } }

    /// The bytes that a receiver rebuilds from what the radio accepted.
    var rebuilt: Data? {
        var assembly = ImageAssembly()
        for chunk in state.withLock({ $0.taken }) {
            if case .complete(let bytes) = assembly.take(chunk, at: .zero).outcome { return Data(bytes) }
        }
        return nil
    }

    func answer(_ frame: [UInt8]) -> [[UInt8]] {
        guard let command = try? SendRawData(decoding: frame), let chunk = try? ImageChunk(command.payload) else {
            return []
        }
        return state.withLock { state in
            let answer = judge(state.written.count, chunk)
            state.written.append(chunk)
            state.paths.append(command.path)
            switch answer {
            case .ok:
                state.taken.append(chunk)
                return [Frames.ok]
            case .silence:
                state.taken.append(chunk)
                return []
            case .tableFull: return [Frames.refusal(.tableFull)]
            case .refused: return [Frames.refusal(.badState)]
            }
        }
    }
}

extension ServiceBench {
    func images(
        notifier: (any MessageNotifying)? = nil, codec: (any ImageCodec)? = nil,
        _ change: (inout ImagePolicy) -> Void = { _ in }
    ) -> ImageService {
        var profile = StackProfile()
        change(&profile.images)
        return ImageService(
            session: session, store: store, profile: profile, dependencies: dependencies, notifier: notifier,
            codec: codec)
    }

    /// Makes a contact of the radio, by one number, with a path of this number of hops; `nil` for none.
    func contact(_ number: UInt8, hops: Int? = 0, hashSize: UInt8 = 1, name: String = "bob") async throws -> ContactDTO
    {
        var record = Frames.contact(number, name: ByteText(name))
        if let hops {
            record.outPathLength = .init(rawValue: (hashSize - 1) << 6 | UInt8(hops))
            record.outPath = FixedBytes((0..<(hops * Int(hashSize))).map { UInt8($0 + 1) })
        }
        let id = try await store.saveContact(deviceID: device.id, from: record)
        guard let contact = try await store.fetchContact(id: id) else { throw StackError(.store, .contactNotFound) }
        return contact
    }

    func transfers() async throws -> [ImageTransferDTO] { try await store.fetchImageTransfers(deviceID: device.id) }

    func messages(with contact: ContactDTO) async throws -> [MessageDTO] {
        try await store.fetchMessages(deviceID: device.id, thread: .contact(contact.id))
    }
}
