package import MeshSimulator

extension AirModel {
    /// The respects in which this model is kinder than air, a sentence each: part of every report that draws
    /// conclusions.
    package var kinderThanAir: [String] {
        var lines: [String] = []
        if sensitivity == .limit {
            lines.append(
                "Reception has a sharp limit of SNR for each spreading factor; a real receiver loses gradually.")
        }
        if interference == .strongest {
            lines.append(
                "Interference counts pair by pair; several weak senders together do no more harm than the strongest.")
        }
        if !hasCrossTalk { lines.append("Frames of other spreading factors do no harm.") }
        if !fading.isOn { lines.append("Links do not waver: no fading by people, cars, leaves or weather.") }
        if !report.isOn { lines.append("Radios report the SNR and RSSI that arrive; chips are off by up to 2 dB.") }
        lines += [
            "Drawn towns have no links below the SNR limit; there such a link would carry a frame now and then.",
            "Noise is the same everywhere and at all times, and nobody else uses the frequency.",
            "Crystals are exact, unless a world says otherwise.",
            "Links have the same strength in both directions, unless a world file says otherwise.",
            "Capture thresholds are those of two chirps in step; multipath and clipping are not modelled.",
            "Channel activity detection never errs; radios that listen before they talk rely on it.",
        ]
        return lines
    }
}

extension Fading {
    fileprivate var isOn: Bool { deviationHundredths != 0 }
}

extension SignalReport {
    fileprivate var isOn: Bool { self != SignalReport() }
}
