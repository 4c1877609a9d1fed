extension BinaryInteger {
    /// The number with a noun for what it counts: “1 object”, “2 objects”.
    package func counted(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
