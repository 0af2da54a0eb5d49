import Foundation
import ScenarioTool

/// Where a new file goes: never over one that exists; `-` is standard output.
enum CaptureOutput {
    static func write(_ bytes: [UInt8], to path: String) throws {
        if path == "-" { return StandardOutput.file(bytes) }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let error as CocoaError {
            let reason =
                switch error.code {
                case .fileWriteFileExists: "it exists already, and is not written over"
                case .fileNoSuchFile: "there is no such folder"
                case .fileWriteOutOfSpace: "the disk is full"
                default: "it cannot be written"
                }
            throw LoadedCapture.Failure(description: "\(path): \(reason)")
        }
    }
}
