extension BinaryInteger {
    /// Returns the number followed by a noun, as in “1 object” or “2 objects”.
    package func counted(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}

/// Returns the name of a type as used in programs: for C structs, the name of Foundation's type alias.
package func typeName(_ type: Any.Type) -> String {
    "\(type)".replacing("_NSRange", with: "NSRange")
}

/// Runs a closure for an element of a collection, and adds the element to any error it throws.
///
/// A place that depends on confidential values, such as the key of a dictionary, is not safe to show.
func at<Result>(
    _ place: @autoclosure () -> String,
    isSafeToShow: Bool = true,
    _ body: () throws -> Result
) throws -> Result {
    do {
        return try body()
    } catch let error as TransformerError {
        var placed = error
        placed.message = "at \(place()): \(error.message)"
        placed.isSafeToShow = error.isSafeToShow && isSafeToShow
        throw placed
    } catch {
        throw TransformerError(.invalidData, "failed at \(place())", underlying: error)
    }
}

/// Returns up to three names that are a few edits away from a misspelled one, nearest first.
package func nearestNames(to name: String, among known: [String]) -> [String] {
    let limit = max(1, name.utf8.count / 3)
    return known.map { (distance: editDistance($0, name), name: $0) }
        .filter { $0.distance <= limit }
        .sorted { $0 < $1 }
        .prefix(3)
        .map(\.name)
}

/// Returns the Levenshtein distance of two strings in UTF-8 bytes, keeping only two rows of the table.
private func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for (index, byte) in left.utf8.enumerated() {
        let previous = row
        row[0] = index + 1
        for column in right.indices {
            let substitution = previous[column] + (right[column] == byte ? 0 : 1)
            row[column + 1] = min(substitution, previous[column + 1] + 1, row[column] + 1)
        }
    }
    return row[right.count]
}
