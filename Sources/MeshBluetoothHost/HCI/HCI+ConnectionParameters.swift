package import MeshWire

extension HCI {
    /// The intervals at which the two sides of a connection meet, as commands, events and signals carry them.
    package struct ConnectionParameters: FieldGroup, Hashable {
        /// In units of 1.25 ms, 6 to 3200.
        package var shortestInterval: UInt16 = 24
        /// In units of 1.25 ms; not below the shortest.
        package var longestInterval: UInt16 = 40
        /// Events of the connection that the peripheral may leave out, 0 to 499.
        package var latency: UInt16 = 0
        /// The connection is lost after this long without a packet; in units of 10 ms, 10 to 3200.
        package var timeout: UInt16 = 420

        package init() {}

        package init(shortestInterval: UInt16, longestInterval: UInt16, latency: UInt16, timeout: UInt16) {
            self.shortestInterval = shortestInterval
            self.longestInterval = longestInterval
            self.latency = latency
            self.timeout = timeout
        }

        /// The parameters of a connection that has one interval.
        init(interval: UInt16, latency: UInt16, timeout: UInt16) {
            self.init(shortestInterval: interval, longestInterval: interval, latency: latency, timeout: timeout)
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("interval_min", &shortestInterval)
            w.u16("interval_max", &longestInterval)
            w.u16("latency", &latency)
            w.u16("timeout", &timeout)
        }

        /// All numbers are in their ranges, and the timeout is longer than what may be left out.
        ///
        /// Source: Bluetooth Core, Vol 4 Part E, 7.8.12.
        package var isAllowed: Bool {
            6...3200 ~= shortestInterval && shortestInterval...3200 ~= max(longestInterval, shortestInterval)
                && longestInterval >= shortestInterval && latency <= 499 && 10...3200 ~= timeout
                && Int(timeout) * 4 > (1 + Int(latency)) * Int(longestInterval)
        }
    }
}
