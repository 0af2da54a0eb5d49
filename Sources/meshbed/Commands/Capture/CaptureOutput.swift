import Glibc
import MeshCaptureIO
import MeshFiles
import MeshTestbed

/// Writes a new file, never over one that exists; `-` is standard output.
enum CaptureOutput {
    static func write(_ bytes: [UInt8], to path: String) throws {
        if path == "-" { return StandardOutput.file(bytes) }
        do {
            let file = try OutputFile(path, over: .refused)
            try file.write(bytes)
            try file.end()
        } catch {
            let reason =
                switch error.code {
                case EEXIST: "it exists already, and is not written over"
                case ENOENT: "there is no such folder"
                case ENOSPC: "the disk is full"
                default: "it cannot be written: \(error.reason)"
                }
            throw LoadedCapture.Failure(description: "\(path): \(reason)")
        }
    }
}
