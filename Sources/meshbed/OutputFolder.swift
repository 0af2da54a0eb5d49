import ArgumentParser
import FoundationEssentials
import MeshTestbed

/// A new or empty folder that a command fills; nothing that is there is overwritten.
struct OutputFolder {
    /// The folder as the user named it.
    private let path: String
    private let url: URL
    private let command: String

    init(_ path: String, by command: String) {
        self.path = path
        url = URL(fileURLWithPath: path).standardizedFileURL
        self.command = command
    }

    /// Refuses a folder that holds something, and a file of that name; exit status 2.
    func requireEmpty() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        guard let present = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw Console.failed(command, "\(path) is no folder that can be read; nothing was changed")
        }
        guard present.isEmpty else {
            throw Console.failed(command, "\(path) is not empty; nothing was changed")
        }
    }

    /// Writes files by their paths within the folder. If one cannot be written, those before it are removed; exit
    /// status 2.
    func write(_ files: [(path: String, text: String)]) throws {
        var written: [URL] = []
        do {
            for (path, text) in files {
                let file = url.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                written.append(file)
                try Data(text.utf8).write(to: file)
            }
        } catch {
            for file in written { try? FileManager.default.removeItem(atPath: file.path) }
            throw Console.failed(command, "cannot write in \(path): \(error.plainReason)")
        }
    }
}
