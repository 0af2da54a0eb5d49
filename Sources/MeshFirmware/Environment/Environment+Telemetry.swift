import MeshPacket
public import MeshTime

// What a node tells of itself. Source: InfrastructureNodes, "Telemetry"; for companion radios, `SendTelemetryReq` and
// `Push.TelemetryResponse`.
extension Environment {
    /// Telemetry records in the firmware's order, at most 180 bytes; those that do not fit are left out.
    ///
    /// The voltage comes first whatever the mask is, then the place if the GPS is running. The sensor parts follow
    /// on channels from 2 on.
    ///
    /// - Parameter isRounding: rounds where the firmware truncates, for radios without that quirk.
    public func telemetry(
        mask: TelemetryMask, processor: ProcessorPlace, at time: Instant, isRounding: Bool = false
    ) -> [UInt8] {
        var writer = LPPWriter(isRounding: isRounding)
        writer.append(Double(batteryMillivolts(at: time)) / 1000, as: .voltage, channel: Self.ownChannel)
        if processor == .second { appendProcessor(to: &writer, at: time) }
        appendSensors(mask, to: &writer, at: time)
        if processor == .last { appendProcessor(to: &writer, at: time) }
        return writer.bytes
    }

    /// Returns the answer of a repeater, room server or sensor to a telemetry request.
    ///
    /// - Parameters:
    ///   - parameters: what follows the type in the request; only the first byte, the inverted mask, counts, and a
    ///     missing one is 0.
    ///   - isGuest: whether the role in the client's permissions is 0; it matters to repeaters and room servers only.
    public func telemetry(
        answering parameters: some Collection<UInt8>, role: ServerRole, isGuest: Bool, at time: Instant,
        isRounding: Bool = false
    ) -> [UInt8] {
        let isSensor = role == .sensor
        let mask = isGuest && !isSensor ? [] : TelemetryMask(inverted: parameters.first ?? 0)
        return telemetry(mask: mask, processor: isSensor ? .absent : .last, at: time, isRounding: isRounding)
    }

    /// Returns the telemetry of the sensors alone: place and sensor parts as far as the mask asks for them, no
    /// voltage.
    func sensorTelemetry(mask: TelemetryMask, at time: Instant) -> [UInt8] {
        var writer = LPPWriter()
        appendSensors(mask, to: &writer, at: time)
        return writer.bytes
    }

    /// `TELEM_CHANNEL_SELF`
    static let ownChannel: UInt8 = 1

    private func appendProcessor(to writer: inout LPPWriter, at time: Instant) {
        guard let degrees = processorDegrees(at: time) else { return }
        writer.append(degrees, as: .temperature, channel: Self.ownChannel)
    }

    /// `EnvironmentSensorManager::querySensors`
    private func appendSensors(_ mask: TelemetryMask, to writer: inout LPPWriter, at time: Instant) {
        if mask.contains(.location), isGPSActive || parts.contains(.t1000e) {
            let place = position(at: time)
            writer.append([place.latitude, place.longitude, place.altitude], as: .gps, channel: Self.ownChannel)
        }
        guard mask.contains(.environment), !parts.isEmpty else { return }
        for field in parts.ownOutput {
            writer.append(value(of: field.quantity, at: time), as: field.type, channel: Self.ownChannel)
        }
        for (index, fields) in parts.outputs.enumerated() {
            for field in fields {
                writer.append(value(of: field.quantity, at: time), as: field.type, channel: UInt8(2 + index))
            }
        }
    }
}
