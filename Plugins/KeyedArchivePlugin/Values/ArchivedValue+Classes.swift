internal import Transformable

extension ArchivedValue {
    /// Checks that no object in the value is of another class than those that are named.
    ///
    /// - Parameter names: The names of classes besides the value classes.
    /// - Throws: `TransformerError` with `TransformerError.Code.unexpectedClass`, naming class and place.
    func checkClasses(_ names: [String]) throws(TransformerError) {
        var waiting: [(value: ArchivedValue, path: CodingPath)] = [(self, .top)]
        while let (value, path) = waiting.popLast() {
            if case .object(let instance) = value {
                let name = instance.archivedClass.name
                guard names.contains(where: { $0.isIdentical(to: name) }) else {
                    let allowed = (names + ["the value classes"]).joined(separator: ", ")
                    throw .unexpectedClass(name, at: path, allowed: allowed)
                }
            }
            for (key, part) in value.parts.reversed() {
                waiting.append((part, .key(ArchiveKey(stringValue: key), parent: path)))
            }
        }
    }
}
