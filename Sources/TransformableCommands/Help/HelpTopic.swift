/// A topic that several commands share, shown by `help NAME`.
enum HelpTopic: String, CaseIterable {
    case conditions
    case models

    /// Returns the topic that the arguments ask for, as in `help conditions`.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// A one-line summary.
    var abstract: String {
        switch self {
        case .conditions: "How to write a condition for --where."
        case .models: "How to write a store's model as JSON."
        }
    }

    /// The whole text, for a terminal with 80 columns.
    var text: String {
        switch self {
        case .conditions: Self.conditionsText
        case .models: Self.modelsText
        }
    }
}
