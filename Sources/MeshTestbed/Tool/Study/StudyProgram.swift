import MeshCrypto
import MeshFiles
import MeshStudy
import MeshWire

/// The running program, as the fingerprint of its studies names it.
enum StudyProgram {
    /// Bytes of a program that is read for it.
    private static let longest = 1 << 30

    /// SHA-256 over the program's file, in hex: what it measures with metrics of its own can change with every build.
    static func fingerprint() throws -> String {
        do {
            return SHA256.hash(try FileSystem.readInput("/proc/self/exe", atMost: longest)).hex
        } catch {
            throw StudyProblem("the file of this program cannot be read: \(error.reason)")
        }
    }
}
