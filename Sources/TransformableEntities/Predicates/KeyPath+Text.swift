public import TransformableStore

/// A property whose values are text or optional text.
public protocol TextProperty {}

extension String: TextProperty {}
extension Optional: TextProperty where Wrapped == String {}

extension KeyPath where Root: Entity, Value: TextProperty {
    /// Returns a condition that matches objects whose text equals another text, using the given options.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func isEqual(to text: String, _ options: TextOptions) -> Condition {
        Condition(self, .equal(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text contains another text.
    ///
    /// - Parameters:
    ///   - text: The text to look for.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func contains(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .contains(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text begins with another text.
    ///
    /// - Parameters:
    ///   - text: The prefix.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func hasPrefix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .startsWith(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text ends with another text.
    ///
    /// - Parameters:
    ///   - text: The suffix.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func hasSuffix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .endsWith(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text matches a pattern.
    ///
    /// In the pattern, `%` stands for any text and `_` for any single character.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .like(.value(pattern)), options)
    }
}
