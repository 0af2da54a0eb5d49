import FoundationEssentials
import MeshCaptureIO

/// The recordings that a user names: files as they are given, folders with all files named `*.capture` in and below
/// them.
struct RecordingFiles {
    /// In the order given; those of a folder by their paths.
    let paths: [String]

    init(_ words: [String]) throws {
        paths = try words.flatMap { word in
            var isFolder = false
            guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), isFolder else {
                return [word]
            }
            let names = try FileManager.default.subpathsOfDirectory(atPath: word)
            let found = names.filter { $0.hasSuffix(".capture") }.sorted()
            guard !found.isEmpty else {
                throw LoadedCapture.Failure(description: "\(word): there is no *.capture in this folder")
            }
            return found.map { (word.hasSuffix("/") ? word : word + "/") + $0 }
        }
    }
}
