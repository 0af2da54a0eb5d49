/// The file system of a node: the data that survives a reboot.
///
/// Files are kept sorted by path, so that listing them is the same in every process. Faults can be switched on to
/// test the firmware's behaviour when storage fails.
public struct Flash: Hashable, Sendable {
    /// One file.
    public struct File: Hashable, Sendable {
        /// Its name, from the root.
        public let path: String
        /// The content of the file.
        public var bytes: [UInt8]
    }

    /// A cut of the power in the middle of writing a file.
    ///
    /// The firmware writes no file anew beside the old one. On boards with an ESP32 or RP2040 it empties the file
    /// and fills it. On the others it removes the file and makes it again. A cut leaves a beginning of the new
    /// content, or no file; the old content is gone in any case. Files are written whole here, so nothing is
    /// modelled of a half-written page.
    public struct PowerCut: Hashable, Sendable {
        /// The file; whichever is written next when `nil`.
        public var path: String?
        /// Bytes of the new content that had arrived; `nil` when the file had been removed and not been made again.
        public var bytes: Int?

        public init(path: String? = nil, bytes: Int?) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// All files, sorted by path.
    public private(set) var files: [File] = []
    /// Every write fails while set.
    public var failsToWrite = false
    /// Formatting fails while set.
    public var failsToFormat = false
    /// The power goes during the next write that this concerns.
    public var powerCut: PowerCut?
    /// True when the power is gone; nothing more is written until the board starts again.
    public private(set) var hasLostPower = false
    /// The changes that were refused because writing or formatting fails.
    public private(set) var refusals = 0

    public init(files: [(path: String, bytes: [UInt8])] = []) {
        for file in files { store(file.bytes, at: file.path) }
    }

    /// The content of the file at a path, or nil when there is none.
    public subscript(path: String) -> [UInt8]? {
        guard let index = index(of: path).found else { return nil }
        return files[index].bytes
    }

    /// Writes a whole file; `false` when the flash fails, and then nothing has changed.
    public mutating func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard !refuses(failsToWrite), !hasLostPower else { return false }
        if let cut = powerCut, cut.path == nil || cut.path == path {
            powerCut = nil
            hasLostPower = true
            if let count = cut.bytes {
                store([UInt8](bytes.prefix(max(0, count))), at: path)
            } else if let index = index(of: path).found {
                files.remove(at: index)
            }
            return false
        }
        store(bytes, at: path)
        return true
    }

    /// Adds to the end of a file, or begins one; `false` when the flash fails or would hold more than `capacity` bytes.
    mutating func append(_ bytes: [UInt8], to path: String, capacity: Int) -> Bool {
        guard !refuses(failsToWrite), usedBytes + bytes.count <= capacity else { return false }
        if let index = index(of: path).found {
            files[index].bytes += bytes
        } else {
            store(bytes, at: path)
        }
        return true
    }

    /// Removes a file; `false` when there is none or the flash fails.
    public mutating func remove(_ path: String) -> Bool {
        guard !refuses(failsToWrite), !hasLostPower, let index = index(of: path).found else { return false }
        files.remove(at: index)
        return true
    }

    /// Erases everything; `false` when the flash fails.
    public mutating func format() -> Bool {
        guard !refuses(failsToFormat), !hasLostPower else { return false }
        files = []
        return true
    }

    /// Returns whether a change fails, and counts it if so.
    private mutating func refuses(_ fails: Bool) -> Bool {
        if fails { refusals += 1 }
        return fails
    }

    /// Restarts the board, on the files that the cut has left.
    public mutating func restorePower() {
        powerCut = nil
        hasLostPower = false
    }

    /// Returns the change that an interrupted write has made to a file.
    func remains(of path: String) -> FlashChange {
        self[path].map { .wrote(path: path, bytes: $0) } ?? .removed(path: path)
    }

    /// Bytes in all files.
    public var usedBytes: Int { files.reduce(0) { $0 + $1.bytes.count } }

    private mutating func store(_ bytes: [UInt8], at path: String) {
        let place = index(of: path)
        if let index = place.found {
            files[index].bytes = bytes
        } else {
            files.insert(File(path: path, bytes: bytes), at: place.insertion)
        }
    }

    private func index(of path: String) -> (found: Int?, insertion: Int) {
        var low = 0
        var high = files.count
        while low < high {
            let middle = (low + high) / 2
            if files[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return (low < files.count && files[low].path == path ? low : nil, low)
    }
}
