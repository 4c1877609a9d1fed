/// A term that a condition compares: an attribute, a value, or something computed from them.
package indirect enum Term: Sendable {
    case path(Path)
    case constant(Operand)
    case arithmetic(Term, Arithmetic.Sign, Term, Arithmetic.Width?)
    case negative(Term, Arithmetic.Width?)
    /// The number of characters in the text.
    case length(Term)
    /// The number of objects in a to-many relationship that satisfy a condition.
    case count(Path, Condition.Node)
    /// An aggregate over an attribute of the objects in a to-many relationship.
    ///
    /// The path ends in the attribute.
    case summary(Aggregate.Function, Path)
    /// The first term if it has a value, and otherwise the second.
    case coalesced(Term, Term)
    /// The first term if the condition is satisfied, and otherwise the second.
    case either(Condition.Node, Term, Term)
    /// The second term if the first has a value, and otherwise nothing.
    case ifPresent(Term, Term)
    /// The term's value, which must be present.
    case unwrapped(Term)
    case truth(Condition.Node)

    /// A path from an object through relationships to an attribute.
    package struct Path: Sendable, Hashable {
        /// The name of the scope that the path starts from, as given by `Condition.Node.named`, or `nil` for the
        /// innermost scope.
        package var scope: Int?
        /// The names of the relationships, followed by an attribute, projection, or relationship.
        ///
        /// An empty path is the object itself. Casts may precede each name and end the path.
        package var names: [String]

        package init(_ names: [String], scope: Int? = nil) {
            self.names = names
            self.scope = scope
        }

        // No name in a model contains this character.
        private static let castMark = "\u{0}"

        /// Adds a cast: the path leads to the same object if it belongs to an entity, or to one of that entity's children,
        /// and otherwise to nothing.
        package func cast(to entity: String) -> Self {
            Self(names + [Self.castMark + entity], scope: scope)
        }

        /// Returns the entity of a cast, or `nil` for the name of an attribute, projection, or relationship.
        package static func cast(_ name: String) -> String? {
            name.hasPrefix(castMark) ? String(name.dropFirst()) : nil
        }
    }
}

/// The right side of a comparison.
package indirect enum Operand: Sendable {
    /// A value that the program passed in.
    case held(Value)
    /// A value from a condition's text.
    ///
    /// Its type follows from the attribute it is compared with.
    case literal(Literal)
    case term(Term)

    /// A value from code, of any type.
    ///
    /// It is `Sendable`, although its type may not say so: a value that `#Predicate` captures is of any type, and only the
    /// predicate as a whole is known to be `Sendable`. The value is only read.
    package struct Value: @unchecked Sendable {
        package let content: Any

        package init(_ value: any Sendable) {
            content = value
        }

        /// Creates a value from one that a `Sendable` predicate has captured.
        package init(captured value: Any) {
            content = value
        }

        /// The object that the value names, or `nil` if it is not an identifier.
        package var objectID: ObjectID? { (content as? any ObjectIdentifying)?.objectID }
    }

    package static func value(_ value: any Sendable) -> Self { .held(Value(value)) }

    /// A value in the text of a condition.
    package enum Literal: Sendable, Hashable {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// A number, along with its text, because a decimal number can have more digits than a double.
        case number(Double, text: String)
        case string(String)
        /// A date as it is written, without quotes.
        case date(String)
    }

    /// Creates an operand from a term, and extracts its value if it is a constant.
    package init(_ term: Term) {
        if case .constant(let operand) = term { self = operand } else { self = .term(term) }
    }

    package var isNull: Bool {
        if case .literal(.null) = self { true } else { false }
    }
}

extension Term {
    /// Creates a term from a path of names and what is computed at its end, or returns `nil` if that is not a term.
    init?(path names: [String]) {
        guard let mark = names.firstIndex(where: { $0.hasPrefix("@") }) else {
            self = .path(Path(names))
            return
        }
        let path = Path(Array(names[..<mark]))
        let rest = names[(mark + 1)...]
        switch names[mark] {
        case "@count" where rest.isEmpty: self = .count(path, .constant(true))
        case "@length" where rest.isEmpty: self = .length(.path(path))
        case "@sum", "@min", "@max", "@avg":
            guard let function = Aggregate.Function(rawValue: String(names[mark].dropFirst())), !rest.isEmpty else {
                return nil
            }
            self = .summary(function, Path(path.names + rest))
        default: return nil
        }
    }
}

/// An arithmetic operation and the type of its result.
///
/// It computes as Swift does. Everything that would trap in Swift is an error.
package struct Arithmetic: Sendable {
    /// An operation on two numbers.
    package enum Sign: String, Sendable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case remainder = "%"
    }

    /// The type that a result must fit in.
    package enum Width: Sendable, Hashable {
        case integer(ClosedRange<Int64>)
        case float
        case double
        case decimal
    }

    package let sign: Sign
    package let width: Width

    package init(sign: Sign, width: Width) {
        self.sign = sign
        self.width = width
    }
}

extension Arithmetic.Width {
    package static let int64 = Self.integer(.min ... .max)
}

/// The differences that a comparison of text ignores.
///
/// In the text of a condition, write the options as letters in brackets after the operator: `name contains[cd] "ada"`.
public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The options as a bit mask.
    public let rawValue: Int

    /// Creates options from a bit mask.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The comparison ignores case.
    public static let caseInsensitive = Self(rawValue: 1)
    /// The comparison ignores accents and other diacritics.
    public static let diacriticInsensitive = Self(rawValue: 2)
}

extension Term {
    /// The number of terms and conditions on the longest way into the term, which includes the term itself.
    var depth: Int {
        switch self {
        case .path, .constant, .summary: 1
        case .arithmetic(let first, _, let second, _), .coalesced(let first, let second),
            .ifPresent(let first, let second):
            1 + max(first.depth, second.depth)
        case .negative(let term, _), .length(let term), .unwrapped(let term): 1 + term.depth
        case .count(_, let node), .truth(let node): 1 + node.depth
        case .either(let node, let first, let second): 1 + max(node.depth, first.depth, second.depth)
        }
    }
}

extension Condition.Node {
    /// The number of terms and conditions on the longest way into the condition, which includes the condition itself.
    fileprivate var depth: Int {
        switch self {
        case .constant, .refused: 1
        case .comparison(let term, let comparison, _): 1 + max(term.depth, comparison.depth)
        case .quantified(_, _, let comparison, _): 1 + comparison.depth
        case .related(_, _, let node), .named(_, let node), .about(_, let node), .not(let node): 1 + node.depth
        case .and(let nodes), .or(let nodes): 1 + (nodes.lazy.map(\.depth).max() ?? 0)
        }
    }
}

extension Condition.Comparison {
    fileprivate var depth: Int {
        operands.lazy.map { if case .term(let term) = $0 { term.depth } else { 0 } }.max() ?? 0
    }
}
