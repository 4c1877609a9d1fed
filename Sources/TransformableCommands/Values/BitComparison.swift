internal import Foundation

/// Compares values bit for bit, as far as their types expose their parts.
///
/// `==` would treat 0 and -0 as equal, and a NaN as different from itself.
enum BitComparison {
    /// Returns whether two values have the same bits, or nil if their type neither exposes its parts nor is
    /// `Equatable`.
    static func areSame(_ left: Any, _ right: Any) -> Bool? {
        guard type(of: left) == type(of: right) else { return false }
        if let result = areSameNumbers(left, right) { return result }
        switch (left, right) {
        case (let left as Date, let right as Date):
            return areSame(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (let left as String, let right as String): return left.utf8.elementsEqual(right.utf8)
        case (let left as Data, let right as Data): return left == right
        case (let left as CGRect, let right as CGRect):
            return areSame(
                [left.origin.x, left.origin.y, left.size.width, left.size.height],
                [right.origin.x, right.origin.y, right.size.width, right.size.height]
            )
        case (let left as CGPoint, let right as CGPoint): return areSame([left.x, left.y], [right.x, right.y])
        case (let left as CGSize, let right as CGSize):
            return areSame([left.width, left.height], [right.width, right.height])
        default: return areSameParts(left, right) ?? areEqual(left, right)
        }
    }

    /// Returns whether two values of the same `Equatable` type are equal, or nil for other types.
    static func areEqual(_ left: Any, _ right: Any) -> Bool? {
        func compare<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        return (left as? any Equatable).map { compare($0) }
    }

    private static func areSameNumbers(_ left: Any, _ right: Any) -> Bool? {
        switch (left, right) {
        case (let left as Double, let right as Double): left.bitPattern == right.bitPattern
        case (let left as Float, let right as Float): left.bitPattern == right.bitPattern
        case (let left as CGFloat, let right as CGFloat): left.native.bitPattern == right.native.bitPattern
        default: nil
        }
    }

    /// Compares elements, members, and associated values, or returns nil for other types.
    private static func areSameParts(_ left: Any, _ right: Any) -> Bool? {
        let (leftMirror, rightMirror) = (Mirror(reflecting: left), Mirror(reflecting: right))
        switch leftMirror.displayStyle {
        case .dictionary:
            guard let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] else { return nil }
            return areSameMembers(left, right)
        case .collection, .tuple, .optional, .enum:
            // A case without associated values is compared by the type's `==`.
            guard !leftMirror.children.isEmpty || !rightMirror.children.isEmpty else { return nil }
            guard leftMirror.children.count == rightMirror.children.count else { return false }
            return allAreSame(
                zip(leftMirror.children, rightMirror.children).lazy
                    .map { left, right in
                        left.label == right.label ? areSame(left.value, right.value) : false
                    }
            )
        default: return nil
        }
    }

    private static func areSameMembers(_ left: [AnyHashable: Any], _ right: [AnyHashable: Any]) -> Bool? {
        guard left.count == right.count else { return false }
        return allAreSame(left.lazy.map { key, value in right[key].map { areSame(value, $0) } ?? false })
    }

    /// Returns false if any result is false, or otherwise nil if any result is nil.
    private static func allAreSame(_ results: some Sequence<Bool?>) -> Bool? {
        var isKnown = true
        for result in results {
            guard result != false else { return false }
            isKnown = isKnown && result != nil
        }
        return isKnown ? true : nil
    }
}
