extension BinaryInteger {
    /// Returns the number followed by a noun, as in “1 object” or “2 objects”.
    package func counted(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
