internal import Transformable

/// The names of classes in an expression: a comma-separated string, or a list of strings.
struct ArchivedClassNames: ArgumentConvertible {
    let names: [String]

    static var argumentType: String { "class names in double quotes, separated by commas" }

    init?(argument: ArgumentValue) {
        let texts: [String]
        if let text = String(argument: argument) {
            texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        } else if let list = [String](argument: argument) {
            texts = list
        } else {
            return nil
        }
        names = texts == [""] ? [] : texts.map { String($0.trimmingPrefix { $0 == " " }) }
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    var argument: ArgumentValue? { .string(names.joined(separator: ", ")) }
}
