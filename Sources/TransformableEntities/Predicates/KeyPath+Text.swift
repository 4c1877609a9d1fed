public import TransformableStore

/// A property whose values are text, or text or nothing.
public protocol TextProperty {}

extension String: TextProperty {}
extension Optional: TextProperty where Wrapped == String {}

extension KeyPath where Root: Entity, Value: TextProperty {
    /// The objects whose text is equal to another but for what the options take no notice of.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func isEqual(to text: String, _ options: TextOptions) -> Condition {
        Condition(self, .equal(.value(text)), options)
    }

    /// The objects whose text has another one in it.
    ///
    /// - Parameters:
    ///   - text: The text to look for.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func contains(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .contains(.value(text)), options)
    }

    /// The objects whose text begins with another one.
    ///
    /// - Parameters:
    ///   - text: The beginning.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func hasPrefix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .startsWith(.value(text)), options)
    }

    /// The objects whose text ends with another one.
    ///
    /// - Parameters:
    ///   - text: The end.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func hasSuffix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .endsWith(.value(text)), options)
    }

    /// The objects whose text follows a pattern: `%` is any text and `_` any character.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .like(.value(pattern)), options)
    }
}
