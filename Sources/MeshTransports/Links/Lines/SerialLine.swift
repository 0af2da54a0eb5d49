import Glibc

/// Serial lines as the system has them.
public enum SerialLine {
    /// The rate of every board's console.
    public static let defaultBaud = 115_200

    /// The rates that a line can have, and the system's names for them.
    private static let rates: [(baud: Int, speed: Int32)] = [
        (9600, B9600), (19_200, B19200), (38_400, B38400), (57_600, B57600), (115_200, B115200), (230_400, B230400),
        (460_800, B460800), (921_600, B921600),
    ]

    /// The rates that a line can be opened with.
    public static var bauds: [Int] { rates.map(\.baud) }

    /// Opens a line raw. The descriptor does not block, and is the caller's to close.
    static func open(_ path: String, baud: Int) throws(LinkError) -> Int32 {
        let address = LinkAddress.serial(path: path, baud: baud)
        guard bauds.contains(baud) else {
            throw .unreachable(address, reason: "\(baud) baud is none of \(bauds)")
        }
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw .noLine(path: path) }
            throw .unreachable(address, reason: String(cString: strerror(errno)))
        }
        guard isatty(descriptor) == 1 else {
            close(descriptor)
            throw .unreachable(address, reason: "is not a serial line")
        }
        guard makeRaw(descriptor, baud: baud) else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw .unreachable(address, reason: reason)
        }
        return descriptor
    }

    /// Sets a descriptor to raw mode: no echo, editing or translation, eight bits, no parity, one stop bit.
    ///
    /// There is no flow control, by lines or by characters: boards know neither, and frames hold every byte.
    @discardableResult
    static func makeRaw(_ descriptor: Int32, baud: Int) -> Bool {
        var settings = termios()
        guard let rate = rates.first(where: { $0.baud == baud }), tcgetattr(descriptor, &settings) == 0 else {
            return false
        }
        cfmakeraw(&settings)
        settings.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY)
        settings.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(CRTSCTS))
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        cfsetspeed(&settings, speed_t(rate.speed))
        return tcsetattr(descriptor, TCSANOW, &settings) == 0
    }
}
