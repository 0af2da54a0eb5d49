extension BluetoothHost {
    /// One connection of a host; the number is never given out twice.
    package struct Link: Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        package let number: UInt32

        package var description: String { "link \(number)" }
    }

    /// A request of a program to a host.
    package enum Request: Hashable, Sendable {
        /// Advertises until a central connects, or until it is stopped.
        case advertise(Advertisement)
        case stopAdvertising
        /// Listens for devices that advertise.
        case scan(Scan)
        case stopScanning
        /// Connects to a device as the central, within `Settings.connectTime`.
        case connect(BluetoothAddress)
        /// Gives a connection up that has not come about.
        case cancelConnect
        /// Ends a connection; `disconnected` follows.
        case disconnect(Link)
        /// Pairs, or encrypts with the keys of a bond; a peripheral asks its central to.
        case pair(Link)
        /// The six digits that the user typed; `nil` when there are none.
        case passkey(Link, UInt32?)
        /// Agrees on the longest attribute packet, as a client does once.
        case exchangeMTU(Link)
        /// Learns what the server has; of one service only, where it is named.
        case discover(Link, service: BluetoothUUID?)
        /// Reads a whole value of the server.
        case read(Link, handle: UInt16)
        /// Writes a value: with an answer, or without.
        case write(Link, handle: UInt16, value: [UInt8], withResponse: Bool)
        /// Switches a value's notifications or indications; its configuration must have been discovered.
        case subscribe(Link, value: UInt16, ATT.ClientConfiguration)
        /// Sets a value of the own table, and sends it to a subscriber; longer ones are cut to the MTU.
        case notify(Link, handle: UInt16, value: [UInt8])
        /// The same, to be confirmed.
        case indicate(Link, handle: UInt16, value: [UInt8])
        /// The same, also where the peer has switched no indications on, as a radio with a fault does.
        case indicateUnasked(Link, handle: UInt16, value: [UInt8])
        /// Sets a value of the own table.
        case setValue(handle: UInt16, value: [UInt8])
        /// Other intervals for a connection; a peripheral asks its central for them.
        case updateParameters(Link, ConnectionParameters)
        /// Drops the keys of a peer.
        case forget(BluetoothAddress)
        /// Another random address, which peers see from the next advertising on.
        case setRandomAddress(BluetoothAddress)
    }

    /// The reason why a request was refused; the host goes on as before.
    package enum Refusal: Error, Hashable, Sendable {
        /// The controller is not set up, or lost.
        case notReady
        /// The connection has ended.
        case noSuchLink
        /// It is being done already, or something is that excludes it.
        case busy
        /// The queue is full: as many packets or requests wait as the limit says.
        case overflow(limit: Int)
        /// The own table, or what was discovered, has no such attribute.
        case noSuchAttribute(UInt16)
        /// The peer has not switched notifications, or indications, of this value on.
        case notSubscribed(UInt16)
        /// The value, or the data of an advertisement, has more bytes than may be.
        case tooLong(limit: Int)
        /// A number is outside what Bluetooth allows.
        case outOfRange
    }

    /// The data and intervals of advertising.
    package struct Advertisement: Hashable, Sendable {
        /// The structures of the advertisement, at most 31 bytes.
        package var data: [UInt8]
        /// The structures of the answer to scans, at most 31 bytes.
        package var scanResponse: [UInt8]
        /// In units of 0.625 ms, 0x0020 to 0x4000.
        package var shortestInterval: UInt16
        /// In units of 0.625 ms; not below the shortest.
        package var longestInterval: UInt16

        package init(
            data: [UInt8], scanResponse: [UInt8] = [], shortestInterval: UInt16 = 0x20, longestInterval: UInt16 = 0xF4
        ) {
            self.data = data
            self.scanResponse = scanResponse
            self.shortestInterval = shortestInterval
            self.longestInterval = longestInterval
        }
    }

    /// The filters and intervals of a scan.
    package struct Scan: Hashable, Sendable {
        /// Reports only devices that advertise this service; all devices when `nil`.
        package var service: BluetoothUUID?
        /// Asks devices for their scan response.
        package var isActive: Bool

        package init(service: BluetoothUUID? = nil, isActive: Bool = true) {
            self.service = service
            self.isActive = isActive
        }
    }

    /// The intervals at which the two sides of a connection meet.
    package typealias ConnectionParameters = HCI.ConnectionParameters
}
