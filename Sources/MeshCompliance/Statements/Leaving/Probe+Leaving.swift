import MeshBoards
import MeshCompanion
import MeshReports
import MeshTime

// How a client leaves and returns, and what has to be so then.
extension Probe {
    /// Attempts to connect to a radio that was left, and the pause between two: half a minute for a board that has to
    /// notice that its client has gone.
    private static let returnAttempts = 10
    private static let returnPause = TimeSpan.seconds(3)

    /// Ends the link without a word, and comes back after a while: the radio introduces itself, and nothing of the
    /// earlier session comes behind that.
    ///
    /// Frames of an earlier session may come before: over Wi-Fi replies that waited go to the next client (CMP-015),
    /// and a listing goes on until APP_START ends it (CMP-046).
    func leaveAndReturn(after span: TimeSpan = .zero) throws {
        try disconnect()
        if span > .zero { try wait(span) }
        try connectAgain()
        do { try resynchronise() } catch is Failure {
            throw failure(
                expected: "SELF_INFO after the return",
                got: "nothing: the radio takes the connection and is silent. "
                    + Self.hangAdvice)
        }
        try requireNothingOld()
    }

    /// What the owner of a board that hangs is told.
    private static let hangAdvice =
        "It hangs. Before you restart it, look at its light, at its advertising and at its buttons (article LeaveAndReturn)"

    /// Connects, also to a radio that needs some time to be found again; never waits without an end.
    private func connectAgain() throws {
        var problem = ""
        for attempt in 0..<Self.returnAttempts {
            if attempt > 0 { try wait(Self.returnPause) }
            do {
                return try connect()
            } catch TargetError.unreachable(let why) {
                problem = why
            } catch TargetError.linkLost(let why) {
                problem = why
            }
        }
        throw failure(
            expected: "a radio that can be connected to again",
            got: "\(problem), \(Self.returnAttempts) times. "
                + Self.hangAdvice)
    }

    /// The next answer is that to the next question: no frame of the session that has ended is left.
    private func requireNothingOld() throws {
        try send("16 03")
        for _ in 0..<1000 {
            let frame = try expect("…").frame
            guard let code = frame.first, code < 0x80 else { continue }
            // The first APP_START may have been answered, too.
            if code == ResponseCode.selfInfo.rawValue { continue }
            try require(
                code == ResponseCode.deviceInfo.rawValue, "DEVICE_INFO, and no frame of the session that ended",
                got: FrameText.reply(frame))
            return
        }
        throw failure(expected: "DEVICE_INFO", got: "pushes without an end")
    }

    /// Contacts and channels are listed whole, and each contact once.
    func requireWholeAgain(_ before: [[UInt8]]) throws {
        let (count, keys, _) = try contacts()
        try require(
            Set(keys).count == keys.count, "each contact once", got: "\(keys.count - Set(keys).count) of them twice")
        try require(keys.count == Int(count), "\(count) contacts, as announced", got: "\(keys.count)")
        let missing = Set(before).subtracting(keys).count
        try require(missing == 0, "the \(before.count) contacts of before", got: "\(missing) of them missing")
        if isAlone { try require(keys == before, "the contacts in their order of before", got: "another order") }
        for index in 0..<min(try channelCount(), 4) { try ask("1F \(index)", "12 \(index) name32 key16") }
    }
}
