public import MeshCapture

extension FrameFinder: AirLinkSink {
    public mutating func event(_ connection: Int, _ event: CaptureEvent, _ record: RecordHeader) {
        emit(connection, event, record)
    }

    public mutating func note(_ problem: CaptureProblem) {
        sink.note(problem)
    }
}
