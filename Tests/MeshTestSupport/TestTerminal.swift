import Glibc

/// A pseudo-terminal that plays a radio's serial line, and the radio's end of it.
package final class TestTerminal {
    /// The path to open instead of a serial line.
    package let path: String
    /// The radio.
    package let side: TestClient
    private let slave: Int32

    package init() throws {
        var ends: (radio: Int32, line: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard openpty(&ends.radio, &ends.line, &name, nil, nil) == 0 else {
            throw TestClient.Failure(reason: "openpty: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        side = TestClient(descriptor: ends.radio)
        // Held open, so that the radio does not see apps that come and go as the end of the line.
        slave = ends.line
        var settings = termios()
        tcgetattr(slave, &settings)
        cfmakeraw(&settings)
        tcsetattr(slave, TCSANOW, &settings)
    }

    /// The cable is pulled.
    package func hangUp() {
        let nothing = Glibc.open("/dev/null", O_RDWR)
        dup2(nothing, side.descriptor)
        close(nothing)
    }

    deinit {
        close(slave)
    }
}
