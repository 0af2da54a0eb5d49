package import MeshTime

/// The times at which a driver samples the noise floor.
///
/// Until it has its samples, it also checks for a reception in each pass. Passes in which a frame is received give
/// no sample, nor do those with a signal well above the floor. So a sampling that begins within a burst of frames
/// continues until the burst is over.
/// Source: firmware, `RadioLibWrapper::loop`, `Dispatcher::loop`; alike in all versions.
package enum NoiseSampling {
    /// `NUM_NOISE_FLOOR_SAMPLES` passes of the main loop: the duration on a quiet antenna.
    package static let length = TimeSpan.microseconds(64 * 100)
    /// `SAMPLING_THRESHOLD` in 1/100 dB: a signal stronger than the floor by that much gives no sample.
    package static let thresholdHundredths = 1400
    /// From one beginning to the next: `NOISE_FLOOR_CALIB_INTERVAL`, and the millisecond by which it must have passed.
    static let period = TimeSpan.milliseconds(2001)

    /// Returns the time since the last sampling should have begun, on a node that has run for `uptime`.
    ///
    /// The first sampling waits for the counter to leave 0.
    static func sinceBeginning(at uptime: TimeSpan, _ millisAtBoot: UInt32) -> TimeSpan {
        let first: Int64 = millisAtBoot == 0 ? 1000 : 0
        return TimeSpan(microseconds: max(0, uptime.microseconds - first) % period.microseconds)
    }
}
