import MeshTime

extension RandomStream {
    /// Draws a pause of one to two times so much, so that people do not speak all at once.
    ///
    /// Virtual time has no jitter: with fixed pauses, people who began together repeat in the same microsecond. Their
    /// frames collide each time, as all radios find the air free at that moment.
    mutating func pause(_ least: Duration) -> Duration { least + least * Int(next() % 1000) / 1000 }
}
