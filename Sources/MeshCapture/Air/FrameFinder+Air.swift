extension FrameFinder: AirLinkSink {
    public mutating func event(_ connection: Int, _ event: CaptureEvent, _ record: RecordHeader) {
        let place = CapturePlace(record: record.number, nanoseconds: record.nanoseconds, connection: connection)
        sink.event(place, event)
    }

    public mutating func note(_ problem: CaptureProblem) { sink.note(problem) }
}
