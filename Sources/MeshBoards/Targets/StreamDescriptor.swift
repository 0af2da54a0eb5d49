import Glibc
package import MeshTime
package import MeshTransports

/// An open socket or serial line: reads and writes with a deadline, and closes itself.
package final class StreamDescriptor {
    private var descriptor: Int32

    /// Opens the link to an address.
    package init(_ address: LinkAddress, within span: TimeSpan) throws(TargetError) {
        do {
            descriptor = try LinkDialer.descriptor(to: address, within: span)
        } catch {
            throw .unreachable("\(error)")
        }
    }

    deinit {
        close()
    }

    package func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    // MARK: Bytes

    /// Reads bytes as soon as some arrive; `nil` when none did. The end of the stream is an error.
    package func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        guard poll(for: Int16(POLLIN), within: span) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return [UInt8](buffer.prefix(count)) }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        throw .linkLost(count == 0 ? "the radio closed the connection" : Self.errorText())
    }

    package func write(_ bytes: [UInt8], within span: TimeSpan) throws(TargetError) {
        var sent = 0
        while sent < bytes.count {
            guard poll(for: Int16(POLLOUT), within: span) else { throw .linkLost("the radio takes no more bytes") }
            let count = bytes.withUnsafeBytes { memory in
                // A closed peer must not end the program with a signal.
                let part = UnsafeRawBufferPointer(rebasing: memory[sent...])
                let count = send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                return count < 0 && errno == ENOTSOCK ? Glibc.write(descriptor, part.baseAddress, part.count) : count
            }
            if count > 0 {
                sent += count
            } else if errno != EAGAIN, errno != EINTR {
                throw .linkLost(Self.errorText())
            }
        }
    }

    /// Forgets what has arrived on a serial line.
    package func discardInput() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Tells whether the other side closes the stream in that time; bytes before the end are lost.
    package func isEnded(within span: TimeSpan) -> Bool {
        do {
            while try read(within: span) != nil {}
            return false
        } catch {
            return true
        }
    }

    private func poll(for events: Int16, within span: TimeSpan) -> Bool {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        let milliseconds = Int32(clamping: (span.microseconds + 999) / 1000)
        return Glibc.poll(&request, 1, milliseconds) > 0
    }

    /// Lets time pass before a link is tried again.
    package static func pause(_ span: TimeSpan) {
        _ = Glibc.poll(nil, 0, Int32(clamping: span.milliseconds))
    }

    private static func errorText() -> String { String(cString: strerror(errno)) }
}
