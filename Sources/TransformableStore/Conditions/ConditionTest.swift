/// One comparison of a condition, ready to be run.
///
/// SQL narrows the rows down; where it cannot say exactly what is meant, the decoded value decides.
struct ConditionTest {
    /// Holds at least for the rows where the comparison does; nil if SQL cannot narrow them down.
    var holds: SQLFragment?
    /// Holds at least for the rows where the comparison does not.
    var fails: SQLFragment?
    /// Whether both say exactly that.
    var isExact: Bool
    /// Decides for one object; nil if its value cannot be decoded.
    var matches: (ManagedObject) throws -> Bool?
}

/// A condition whose names are found and whose values have their types.
indirect enum BoundCondition {
    case constant(Bool)
    case test(ConditionTest)
    case not(BoundCondition)
    case and([BoundCondition])
    case or([BoundCondition])

    /// The SQL of the condition or of its opposite; nil if it cannot narrow the rows down.
    func sql(negated: Bool = false) -> SQLFragment? {
        switch self {
        case .constant(let flag): flag != negated ? .always : .never
        case .test(let test): negated ? test.fails : test.holds
        case .not(let inner): inner.sql(negated: !negated)
        case .and(let parts): negated ? Self.either(parts, negated: true) : Self.both(parts, negated: false)
        case .or(let parts): negated ? Self.both(parts, negated: true) : Self.either(parts, negated: false)
        }
    }

    private static func both(_ parts: [Self], negated: Bool) -> SQLFragment? {
        let pieces = parts.compactMap { $0.sql(negated: negated) }
        return pieces.isEmpty ? nil : .joined(pieces, by: "AND")
    }

    private static func either(_ parts: [Self], negated: Bool) -> SQLFragment? {
        let pieces = parts.compactMap { $0.sql(negated: negated) }
        return pieces.count < parts.count ? nil : .joined(pieces, by: "OR")
    }

    /// Whether the SQL says exactly what is meant.
    var isExact: Bool {
        switch self {
        case .constant: true
        case .test(let test): test.isExact
        case .not(let inner): inner.isExact
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isExact)
        }
    }

    /// Decides for one object; nil if that depends on a value that cannot be decoded.
    func matches(_ object: ManagedObject) throws -> Bool? {
        switch self {
        case .constant(let flag): return flag
        case .test(let test): return try test.matches(object)
        case .not(let inner): return try inner.matches(object).map { !$0 }
        case .and(let parts): return try Self.decide(parts, object, unless: false)
        case .or(let parts): return try Self.decide(parts, object, unless: true)
        }
    }

    private static func decide(_ parts: [Self], _ object: ManagedObject, unless decisive: Bool) throws -> Bool? {
        var isKnown = true
        for part in parts {
            guard let result = try part.matches(object) else {
                isKnown = false
                continue
            }
            if result == decisive { return decisive }
        }
        return isKnown ? !decisive : nil
    }
}
