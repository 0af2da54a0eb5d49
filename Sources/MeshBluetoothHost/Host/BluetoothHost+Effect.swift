package import MeshTime
package import MeshWire

extension BluetoothHost {
    /// Events for the program.
    package enum Event: Hashable, Sendable {
        /// The controller is set up; requests are accepted from now on.
        case ready(Controller)
        /// Advertising was switched on or off; a connection switches it off as well.
        case advertising(Bool)
        /// Scanning was switched on or off.
        case scanning(Bool)
        /// A device that fits the scan was heard; repeated when more is known of it.
        case found(Advertiser)
        /// A connection has begun.
        case connected(Link, Connection)
        /// No connection came about: the controller's error code, 0x02 when it was given up, 0x3C after its time.
        case connectFailed(BluetoothAddress, status: UInt8)
        /// A central connected though no further one may, and is sent away.
        case turnedAway(BluetoothAddress)
        /// The user is to type what the peer shows.
        case passkeyWanted(Link)
        /// The user is to read this, and type it at the peer: six digits.
        case passkeyShown(Link, UInt32)
        /// The connection is encrypted to this level.
        case secured(Link, SecurityLevel)
        /// Pairing or encrypting has failed.
        case securityFailed(Link, SecurityManager.Failure)
        /// The keys or the subscriptions of a peer are new, to be kept; never to be printed.
        case known(KnownPeer)
        /// The keys of a peer are lost; those of the others are to be kept.
        case forgotten(BluetoothAddress)
        /// The longest attribute packet was agreed on.
        case mtu(Link, Int)
        /// The peer has written a value of the own table.
        case written(Link, handle: UInt16, value: [UInt8])
        /// The peer has switched a value's notifications or indications.
        case subscribed(Link, ATT.Subscription)
        /// An indication was confirmed.
        case confirmed(Link, handle: UInt16)
        /// The server's contents are known.
        case discovered(Link, ATT.Database)
        /// A value was read.
        case value(Link, handle: UInt16, value: [UInt8])
        /// A write or a subscription was answered.
        case accepted(Link, handle: UInt16)
        /// The server has refused a request; `handle` as it says.
        case refused(Link, ATT.Opcode, handle: UInt16, ATT.ErrorCode)
        /// The server sent a value; an indication is confirmed already.
        case notified(Link, handle: UInt16, value: [UInt8])
        /// A packet that waited has gone to the controller, and there is room again after an overflow.
        case hasRoom(Link)
        /// The connection has other intervals.
        case parameters(Link, ConnectionParameters)
        /// The peer did what it must not, and the connection is ended.
        case faulty(Link, Fault)
        /// A connection has ended: the controller's error code.
        case disconnected(Link, reason: UInt8)
        /// The radio is to fall silent for this time, as a fault wants it: nobody is told that the connection ends.
        case linkLost(Link, for: TimeSpan)
        /// Advertising has not begun, or has ended by itself, as a kernel says.
        case notAdvertised
        /// The controller did not do what was asked for: the opcode of the command, and its error code.
        case notDone(opcode: UInt16, status: UInt8)
        /// The host is of no use any more: begin anew with another controller, or the same.
        case failed(Failure)
    }

    /// The controller's description of itself.
    package struct Controller: Hashable, Sendable {
        /// The address that peers see, of this run.
        package var address: BluetoothAddress
        /// The version of HCI: 6 is Bluetooth 4.0, 9 is 5.0.
        package var version: UInt8
        /// The vendor, as Bluetooth numbers them.
        package var manufacturer: UInt16
        /// The longest fragment that it accepts, in bytes.
        package var dataSize: Int
        /// The number of fragments that it accepts at once.
        package var dataCount: Int
    }

    /// A device that advertises.
    package struct Advertiser: Hashable, Sendable {
        /// The address that it advertises with.
        package var address: BluetoothAddress
        /// A connection to it is possible.
        package var isConnectable: Bool
        /// The structures of its advertisement.
        package var data: [UInt8]
        /// The structures of its answer to scans; empty where none was heard.
        package var scanResponse: [UInt8]
        /// In dBm; 127 where it is not known.
        package var rssi: Int8
        /// The facts from both.
        package var facts: AdvertisedFacts
    }

    /// A connection, as it began.
    package struct Connection: Hashable, Sendable {
        /// The own role: the one that scanned and connected, or the one that advertised.
        package var isCentral: Bool
        /// The address that the other side connected with.
        package var peer: BluetoothAddress
        /// The interval at which both sides meet; its lower and upper bound are the same.
        package var parameters: ConnectionParameters
        /// Keys of an earlier pairing are there.
        package var isKnown: Bool
    }

    /// A violation of the protocol by a peer.
    package enum Fault: Hashable, Sendable {
        /// It left a request or an indication without an answer for 30 s.
        case silent
        /// It sent a packet that is longer than what was agreed on, or fragments that make no packet.
        case malformed
        /// It asked for so much at once that the queue is full.
        case flooding
    }

    /// The reason why a host cannot go on.
    package enum Failure: Error, Hashable, Sendable {
        /// The way to the controller is gone.
        case closed
        /// A command was not answered in its time: its opcode.
        case silent(opcode: UInt16)
        /// A command that must succeed was refused: its opcode, and the controller's error code.
        case refused(opcode: UInt16, status: UInt8)
        /// A packet of the controller makes no sense.
        case malformed(FrameError)
        /// The controller says that it is broken: its vendor's code.
        case hardware(UInt8)
        /// It has no buffers for low energy, or fragments shorter than 27 bytes.
        case useless
        /// More commands wait than may.
        case overflow(limit: Int)
    }
}
