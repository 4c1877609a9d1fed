internal import Transformable

/// Returns text in lowercase, using Unicode's full mapping (section 3.13).
///
/// Swift's own mapping does not handle the ends of words.
func lowercased(_ text: String) -> String {
    let sigma: Unicode.Scalar = "Σ"
    guard text.unicodeScalars.contains(sigma) else { return text.lowercased() }
    let scalars = Array(text.unicodeScalars)
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for (index, scalar) in scalars.enumerated() {
        if scalar == sigma {
            let endsWord = hasLetter(scalars[..<index].reversed()) && !hasLetter(scalars[(index + 1)...])
            result += endsWord ? "ς" : "σ"
        } else {
            result += scalar.properties.lowercaseMapping
        }
    }
    return result
}

/// Whether the first scalar that is relevant to letter case is a cased letter.
private func hasLetter(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
}
