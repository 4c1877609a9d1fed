internal import Transformable

/// Text in lower case by Unicode's full mapping (section 3.13), which Swift's own lacks the end of words for.
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

/// Whether the first scalar that matters for letter case is a letter that has it.
private func hasLetter(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
}
