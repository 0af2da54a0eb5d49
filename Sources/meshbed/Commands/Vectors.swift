import ArgumentParser
import MeshReports
import MeshTestbed
import MeshVectors

/// `meshbed vectors`: packets and frames for tests of other programs.
struct Vectors: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write packets and frames with their fields and verdicts, for tests of other programs.",
        discussion: """
            Each vector is one packet or frame in hex, with its fields, the verdict of an emulated radio, the \
            statement that it shows, and the versions of the firmware in which that is true. The files are JSON, a \
            class of vectors each, with a schema, the keys of encrypted packets, and a page that explains them. They \
            are the same each time.

            Examples:
              meshbed vectors -o vectors
              meshbed vectors -o vectors && less vectors/README.md

            Exit status: 0 when they are written, 2 when they could not be: nothing that is there is overwritten.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder to write; it must be new or empty.", valueName: "folder"))
    var output: String

    func run() throws {
        let folder = OutputFolder(output, by: "vectors")
        try folder.requireEmpty()
        let vectors = try VectorFiles(by: "meshbed \(MeshbedVersion.current.number)")
        try folder.write(vectors.files.map { (path: $0.name, text: $0.text) })
        Console.out("\(output): \(vectors.count) vectors in \(vectors.files.count) files, digest \(vectors.digest)")
    }
}
