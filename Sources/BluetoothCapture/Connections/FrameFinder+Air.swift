package import MeshCapture

extension FrameFinder: AirLinkSink {
    package mutating func event(_ connection: Int, _ event: CaptureEvent, _ record: RecordHeader) {
        emit(connection, event, record)
    }

    package mutating func note(_ problem: CaptureProblem) {
        sink.note(problem)
    }
}
