extension TimeSpan {
    /// In whole microseconds; what lasts longer than 100,000 years is cut to that, so that sums of two do not overflow.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let longest: Int64 = 1 << 62 / 1_000_000
        self.init(
            microseconds: min(max(seconds, -longest), longest) * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
