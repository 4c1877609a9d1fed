/// A subject that several verbs share, explained by `help NAME`.
enum HelpTopic: String, CaseIterable {
    case conditions
    case models

    /// Finds the subject that arguments ask about: `help conditions`.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// What it is about, on one line.
    var abstract: String {
        switch self {
        case .conditions: "How --where says which objects are meant."
        case .models: "How a store's model is written as JSON."
        }
    }

    /// The whole text, for a terminal of 80 columns.
    var text: String {
        switch self {
        case .conditions: Self.conditionsText
        case .models: Self.modelsText
        }
    }
}
