import Glibc
import MeshFiles
import MeshTestbed

/// Reads lines of standard input, on a terminal with editing and history if libedit or readline is installed.
///
/// The library is looked for at run time, so that no build needs it.
final class LineReader: Sendable {
    private typealias Read = @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?
    private typealias Remember = @convention(c) (UnsafePointer<CChar>?) -> CInt

    private static let libraries = ["libedit.so.2", "libreadline.so.8"]

    /// True when standard input is a terminal.
    let isInteractive = isatty(STDIN_FILENO) == 1
    private let editor: (read: Read, remember: Remember)?

    init() {
        editor = isInteractive ? Self.openEditor() : nil
    }

    private static func openEditor() -> (read: Read, remember: Remember)? {
        for library in libraries {
            guard let handle = dlopen(library, RTLD_NOW), let read = dlsym(handle, "readline"),
                let remember = dlsym(handle, "add_history")
            else { continue }
            return (unsafeBitCast(read, to: Read.self), unsafeBitCast(remember, to: Remember.self))
        }
        return nil
    }

    /// Returns the next line; `nil` at the end of input. It waits on a thread of its own, so that messages arrive
    /// meanwhile.
    func next(prompt: String) async -> String? {
        await withCheckedContinuation { continuation in
            SystemThread.start { [self] in continuation.resume(returning: read(prompt)) }
        }
    }

    private func read(_ prompt: String) -> String? {
        guard let editor else {
            if isInteractive { StandardError.prompt(prompt) }
            return readLine()
        }
        guard let line = editor.read(prompt) else { return nil }
        defer { free(line) }
        if line.pointee != 0 { _ = editor.remember(line) }
        return String(cString: line)
    }
}
