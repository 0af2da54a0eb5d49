/// A ring of bytes with a fixed capacity: the buffer of a socket or a serial driver.
///
/// Bytes that do not fit are not stored; the caller keeps them and offers them again, as flow control does.
struct ByteQueue: Sendable {
    private var storage: [UInt8]
    private var head = 0
    private(set) var count = 0

    init(capacity: Int) {
        storage = [UInt8](repeating: 0, count: max(1, capacity))
    }

    var capacity: Int { storage.count }
    var free: Int { capacity - count }

    /// Stores as many bytes as there is room for, and returns their number.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, free)
        let tail = (head + count) % capacity
        let whole = min(taken, capacity - tail)
        storage.withUnsafeMutableBytes { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[tail...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[whole..<taken]))
        }
        count += taken
        return taken
    }

    /// The byte `index` places behind the first; `index` is below `count`.
    subscript(index: Int) -> UInt8 {
        let place = head + index
        return storage[place < capacity ? place : place - capacity]
    }

    /// Removes and returns the first byte, if there is one.
    mutating func popFirst() -> UInt8? {
        guard count > 0 else { return nil }
        let byte = storage[head]
        drop(1)
        return byte
    }

    /// Forgets the first bytes, at most all.
    mutating func drop(_ number: Int) {
        let number = min(number, count)
        head = (head + number) % capacity
        count -= number
    }

    /// Removes and returns the first `number` bytes, at most all.
    mutating func take(_ number: Int) -> [UInt8] {
        let number = min(number, count)
        let whole = min(number, capacity - head)
        let bytes = [UInt8](unsafeUninitializedCapacity: number) { buffer, initialized in
            storage.withUnsafeBytes { memory in
                let taken = UnsafeMutableRawBufferPointer(buffer)
                taken.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[head..<(head + whole)]))
                UnsafeMutableRawBufferPointer(rebasing: taken[whole...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<(number - whole)]))
            }
            initialized = number
        }
        drop(number)
        return bytes
    }

    /// Returns the index of the first `byte`, or `count`.
    func firstIndex(of byte: UInt8) -> Int {
        for index in 0..<count where self[index] == byte { return index }
        return count
    }

    mutating func removeAll() {
        head = 0
        count = 0
    }
}
