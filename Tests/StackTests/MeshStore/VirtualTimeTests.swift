import Foundation
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import Testing

@testable import MeshStore

/// The store on virtual time: its work stays on the thread of the run and in the order of the run.
@Suite struct VirtualTimeTests {
    /// Four tasks on one store, waiting now and then; the rows that they leave.
    private func run(order: VirtualTime.Order = .arrival, in path: String? = nil) throws
        -> VirtualTime.Outcome<[String]>
    {
        try VirtualTime.measure(order: order) { clock in
            let store = try path.map { try PersistenceStore(path: $0) } ?? PersistenceStore()
            try await store.addRadio(0, contacts: 4)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        let stream = Seed(9).stream("task \(task)")
                        var draw = OperationDraw(device: .numbered(0), stream: stream, base: task * 1_000_000)
                        for step in 0..<60 {
                            try await draw.perform(on: store)
                            if step % 7 == task { try await clock.sleep(for: .seconds(900 + task)) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            return try await store.dump(ofDevice: DeviceDTO.numbered(0).id)
        }
    }

    @Test func `the store's work stays on virtual time, and its rows and steps are the same every time`() throws {
        let scratch = Scratch()

        let inMemory = try run()
        let again = try run()
        let inFile = try run(in: scratch.file("store.sqlite"))

        #expect(inMemory.value == again.value && inMemory.digest == again.digest)
        #expect(inMemory.value == inFile.value && inMemory.digest == inFile.digest)
        #expect(inMemory.value.count > 50 && inMemory.elapsed > .seconds(3600))
    }

    @Test(arguments: Array(UInt64(1)...8))
    func `in any legal order of its tasks the store stays consistent and repeatable`(seed: UInt64) throws {
        let first = try run(order: .drawn(Seed(seed)))
        let second = try run(order: .drawn(Seed(seed)))

        #expect(first.value == second.value && first.digest == second.digest)
    }

    @Test func `no operation of the store waits`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "../../Sources/MeshStore").standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.lastPathComponent.hasPrefix("PersistenceStore") }
        #expect(files.count > 8)

        for file in files {
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("await "), "\(file.lastPathComponent)")
        }
    }
}
