/// A subject that several verbs share, explained by `help NAME`.
enum HelpTopic: String, CaseIterable {
    case conditions

    /// Finds the subject that arguments ask about: `help conditions`.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// The whole text, for a terminal of 80 columns.
    var text: String {
        switch self {
        case .conditions: Self.conditionsText
        }
    }
}
