internal import Transformable

extension ArchivedValue {
    /// Verifies that the value contains no objects of classes other than the given ones.
    ///
    /// - Parameter names: The names of classes, in addition to the value classes.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.unexpectedClass`, which names the class and
    ///   the location, if it does.
    func checkClasses(_ names: [String]) throws(TransformerError) {
        /// The path of each part. It is stored here, because a linked path would be freed recursively, and values can
        /// be nested deeply.
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
