import Glibc
import MeshCore

/// Serial lines as the system has them.
public enum SerialLine {
    /// The rate of every board's console.
    public static let defaultBaud = 115_200

    /// The rates that a line can have, and the system's names for them.
    private static let rates: [(baud: Int, speed: Int32)] = [
        (9600, B9600), (19_200, B19200), (38_400, B38400), (57_600, B57600), (115_200, B115200), (230_400, B230400),
        (460_800, B460800), (921_600, B921600),
    ]

    /// The rates that `open` takes.
    public static var bauds: [Int] { rates.map(\.baud) }

    /// Opens a line raw: no echo, no editing, no translation, eight bits, no parity, one stop bit.
    static func open(_ path: String, baud: Int) throws(MeshTransportError) -> Int32 {
        guard let rate = rates.first(where: { $0.baud == baud }) else {
            throw .connectionFailed("\(path): \(baud) baud is none of \(bauds)")
        }
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw .deviceNotFound(path) }
            throw .connectionFailed("\(path): \(reason())")
        }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            throw .connectionFailed("\(path): is not a serial line")
        }
        cfmakeraw(&settings)
        settings.c_cflag &= ~tcflag_t(CSTOPB)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        cfsetspeed(&settings, speed_t(rate.speed))
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            let why = reason()
            close(descriptor)
            throw .connectionFailed("\(path): \(why)")
        }
        return descriptor
    }

    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
