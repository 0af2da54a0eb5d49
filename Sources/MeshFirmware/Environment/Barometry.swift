/// Heights of the air.
enum Barometry {
    /// Height in metres at which the standard atmosphere has this pressure, as barometers compute it.
    ///
    /// It is 44330 · (1 − (p / 1013.25)^0.1903).
    ///
    /// The standard library has no power. Here it is a logarithm and an exponential by their series, with an error
    /// below a micrometre for 300 to 1100 hPa.
    static func altitude(hectopascals: Double) -> Double {
        let ratio = hectopascals / 1013.25
        let exponent = 0.1903 * logarithm(ratio)
        var power = 1.0
        var term = 1.0
        for number in 1...14 {
            term *= exponent / Double(number)
            power += term
        }
        return 44330 * (1 - power)
    }

    /// 2·(z + z³/3 + z⁵/5 + …) with z = (x − 1)/(x + 1).
    private static func logarithm(_ number: Double) -> Double {
        let part = (number - 1) / (number + 1)
        var power = part
        var sum = 0.0
        for divisor in stride(from: 1.0, to: 80, by: 2) {
            sum += power / divisor
            power *= part * part
        }
        return 2 * sum
    }
}
