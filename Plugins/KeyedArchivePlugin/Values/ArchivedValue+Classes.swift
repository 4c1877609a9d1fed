internal import Transformable

extension ArchivedValue {
    /// Checks that no object in the value is of another class than those that are named.
    ///
    /// - Parameter names: The names of classes besides the value classes.
    /// - Throws: `TransformerError` with `TransformerError.Code.unexpectedClass`, naming class and place.
    func checkClasses(_ names: [String]) throws(TransformerError) {
        /// The way to each part; a part's own path would be freed recursively, and values are nested deep.
        var steps: [(name: String, parent: Int)] = []
        var waiting: [(value: ArchivedValue, step: Int)] = [(self, -1)]
        while let (value, step) = waiting.popLast() {
            if case .object(let instance) = value {
                let (name, fallbacks) = (instance.archivedClass.name, instance.archivedClass.fallbacks)
                guard names.contains(where: { ([name] + fallbacks).contains(where: $0.isIdentical) }) else {
                    let path = sequence(first: step) { steps[$0].parent }.prefix { $0 >= 0 }.map { steps[$0].name }
                    let place = path.isEmpty ? "root" : path.reversed().joined(separator: ".")
                    let allowed = (names + ["the value classes"]).joined(separator: ", ")
                    throw .unexpectedClass(name, at: place, allowed: allowed)
                }
            }
            for (key, part) in value.parts.reversed() {
                steps.append((key, step))
                waiting.append((part, steps.count - 1))
            }
        }
    }
}
