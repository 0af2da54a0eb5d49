public import MeshTime

/// The strength of a received frame, in hundredths so that no floating point outlives the propagation model.
public struct Signal: Hashable, Sendable {
    /// Signal to noise ratio in 1/100 dB.
    public var snrHundredths: Int16
    /// Received signal strength in 1/100 dBm.
    public var rssiHundredths: Int16

    public init(snrHundredths: Int16, rssiHundredths: Int16) {
        self.snrHundredths = snrHundredths
        self.rssiHundredths = rssiHundredths
    }

    /// `trunc(dB · 4)` as the firmware stores and reports it.
    @inlinable public var snrQuarters: Int8 { Int8(clamping: Int(snrHundredths) * 4 / 100) }
    /// `trunc(dBm)` cut to eight bits: −130 dBm reads 0x7E (CMP-193).
    @inlinable public var rssiByte: Int8 { Int8(truncatingIfNeeded: Int(rssiHundredths) / 100) }
}

/// An input of a node. It is small, because it is copied at every pass; long data is stored elsewhere.
public enum NodeInput: Sendable {
    /// A frame was received with a good checksum. The radio holds one frame: it is read in this pass.
    indirect case heard(RadioFrame, Signal)
    /// The same for a frame that is known to be a packet: a world with many listeners parses and hashes it once.
    case heardPacket(SharedPacket, Signal)
    /// A frame was received and its checksum was wrong; only a counter knows.
    case receiveError
    /// The transmission that the node started has ended.
    case transmitDone
    /// A client is there (TCP: a new connection replaces an older one).
    case appConnected
    case appDisconnected
    /// Bytes from the client, framed as its transport frames them.
    case appBytes([UInt8])
    /// Bytes from the other end of the bridge between two repeaters, with its speed or channel.
    indirect case bridge([UInt8], tuning: UInt32)
    /// One of these three, from the client at a further interface of a radio that has several. Numbers begin with 1.
    indirect case atInterface(UInt8, NodeInput)
    /// No event but time: the moment that the node asked for has come.
    case woke
}

/// The answer of the radio chip when the node asks, at the moment of the call.
public struct RadioStatus: Hashable, Sendable {
    /// A frame that the modem follows, as far as the chip's flags show it.
    public struct Reception: Hashable, Sendable {
        /// The time at which its preamble was detected, by any clock: it distinguishes one frame from the next.
        public var since: Instant
        /// True when its header has been received, too.
        public var hasHeader: Bool
        /// The strength at which it arrives, in dBm cut to eight bits; 0 where it is unknown.
        public var rssiByte: Int8
        /// The time without a quiet period long enough for a driver to sample the noise floor.
        ///
        /// It covers this frame and those right before it. Zero where it is unknown.
        public var busyFor: TimeSpan

        public init(since: Instant, hasHeader: Bool, rssiByte: Int8 = 0, busyFor: TimeSpan = .zero) {
            self.since = since
            self.hasHeader = hasHeader
            self.rssiByte = rssiByte
            self.busyFor = busyFor
        }
    }

    /// Preamble or header seen, or a packet being received. Drivers that see all of it consider the channel busy.
    public var isReceiving: Bool
    /// The frame that is being received, where it is known which; drivers judge by its flags.
    public var reception: Reception?
    /// Estimated noise floor in dBm.
    public var noiseFloor: Int16

    public init(isReceiving: Bool = false, noiseFloor: Int16 = -110) {
        self.isReceiving = isReceiving
        self.noiseFloor = noiseFloor
    }

    /// While a frame is received.
    public init(_ reception: Reception, noiseFloor: Int16 = -110) {
        self.init(isReceiving: true, noiseFloor: noiseFloor)
        self.reception = reception
    }
}
