import Glibc

/// The time zone of the machine.
package enum HostZone {
    /// The seconds that local time is ahead of UTC, at a time in Unix seconds.
    package static func secondsFromUTC(at unixSeconds: Int64) -> Int {
        var time = time_t(unixSeconds)
        var fields = tm()
        return localtime_r(&time, &fields) == nil ? 0 : fields.tm_gmtoff
    }
}
