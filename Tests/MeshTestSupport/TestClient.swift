import Glibc

/// A client with nothing in between: a blocking descriptor with a limit on every wait. It is no user with an app:
/// it sends what a test orders, also what no app would.
///
/// A wait is counted in turns of ten milliseconds that this process has got, not by a clock: on a machine that is
/// busy elsewhere a turn lasts longer, and the other side has got no more of it.
package final class TestClient {
    package struct Failure: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects over TCP on loopback. A small receive buffer makes a client that does not read stall soon.
    package static func connect(port: Int, receiveBuffer: Int32? = nil) throws -> TestClient {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let client = TestClient(descriptor: descriptor)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(reason: "connect: \(String(cString: strerror(errno)))") }
        return client
    }

    /// Opens a terminal as a serial library does.
    package static func open(terminal path: String) throws -> TestClient {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(reason: "open \(path): \(String(cString: strerror(errno)))") }
        return TestClient(descriptor: descriptor)
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Writes everything, or as much as the other side accepts within the limit; returns the number of bytes.
    @discardableResult
    package func send(_ bytes: [UInt8], within milliseconds: Int32 = 2000) -> Int {
        var sent = 0
        while sent < bytes.count {
            guard waits(for: POLLOUT, within: milliseconds) else { break }
            let count = bytes[sent...].withUnsafeBytes { memory in
                Glibc.send(descriptor, memory.baseAddress, min(memory.count, 4096), Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == ENOTSOCK {
                sent += bytes[sent...].withUnsafeBytes { max(0, Glibc.write(descriptor, $0.baseAddress, $0.count)) }
            } else if count <= 0 {
                break
            } else {
                sent += count
            }
        }
        return sent
    }

    /// True when there is something to be read, or the end.
    package var hasInput: Bool { waits(for: POLLIN, within: 0) }

    /// Returns whether the descriptor can be read or written within the limit; an end counts as something to be read.
    private func waits(for event: Int32, within milliseconds: Int32) -> Bool {
        Self.waits(for: event, of: descriptor, within: milliseconds)
    }

    /// The same for any descriptor.
    static func waits(for event: Int32, of descriptor: Int32, within milliseconds: Int32) -> Bool {
        let turn: Int32 = 10
        for _ in 0...(milliseconds / turn) {
            var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            guard poll(&waiting, 1, min(turn, milliseconds)) > 0 else { continue }
            return event == POLLIN || waiting.revents & Int16(event) != 0
        }
        return false
    }

    /// Exactly `count` bytes, or what came within the limit.
    package func receive(_ count: Int, within milliseconds: Int32 = 5000) -> [UInt8] {
        var received: [UInt8] = []
        while received.count < count, let chunk = receiveSome(count - received.count, within: milliseconds) {
            if chunk.isEmpty { break }
            received += chunk
        }
        return received
    }

    /// Returns the bytes that are there; empty at the end of the stream, `nil` when nothing comes in time.
    package func receiveSome(_ limit: Int, within milliseconds: Int32) -> [UInt8]? {
        guard waits(for: POLLIN, within: milliseconds) else { return nil }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &buffer, limit)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Returns whether the other side closes the connection within the limit, whatever it sends before.
    package func isClosed(within milliseconds: Int32 = 5000) -> Bool {
        while let chunk = receiveSome(65_536, within: milliseconds) {
            if chunk.isEmpty { return true }
        }
        return false
    }

    /// Returns whether the other side resets the connection in time, without a byte before: an end in good order is
    /// none.
    package func isReset(within milliseconds: Int32 = 5000) -> Bool {
        guard waits(for: POLLIN, within: milliseconds) else { return false }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) < 0 && errno == ECONNRESET
    }

    /// One frame's payload, without its header.
    package func receiveFrame(within milliseconds: Int32 = 5000) -> [UInt8]? {
        let header = receive(3, within: milliseconds)
        guard header.count == 3, header[0] == UInt8(ascii: ">") else { return nil }
        let count = Int(header[1]) | Int(header[2]) << 8
        let payload = receive(count, within: milliseconds)
        return payload.count == count ? payload : nil
    }

    package func sendFrame(_ payload: [UInt8]) {
        send([UInt8(ascii: "<"), UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload)
    }

    /// Asks for the device's time: the shortest command with an answer.
    package func asksTime(within milliseconds: Int32 = 5000) -> Bool {
        sendFrame([5])
        while let frame = receiveFrame(within: milliseconds) {
            if frame.first == 9 && frame.count == 5 { return true }
        }
        return false
    }

    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
