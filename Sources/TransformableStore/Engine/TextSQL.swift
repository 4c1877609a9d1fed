/// Tests of columns of text, which engines spell differently.
///
/// Text is compared by its bytes, and each test is true, false, or null.
package struct TextSQL: Sendable {
    /// Tests whether each byte is a character.
    ///
    /// Text with U+0000 may be considered otherwise.
    package let isASCII: @Sendable (_ column: SQLFragment) -> SQLFragment
    /// Tests whether the text contains another.
    package let contains: @Sendable (_ column: SQLFragment, _ text: String) -> SQLFragment
    /// Tests whether the text begins with another, which is not empty.
    ///
    /// An index can answer this.
    package let begins: @Sendable (_ column: SQLFragment, _ text: String) -> SQLFragment
    /// Tests whether the text ends with another, which is not empty.
    package let ends: @Sendable (_ column: SQLFragment, _ text: String) -> SQLFragment
    /// Tests whether the text may not be in Unicode's composed form.
    ///
    /// This is true for all text that is not, and for little else.
    package let mayDiffer: @Sendable (_ column: String) -> String

    package init(
        isASCII: @escaping @Sendable (SQLFragment) -> SQLFragment,
        contains: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
        begins: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
        ends: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
        mayDiffer: @escaping @Sendable (String) -> String
    ) {
        self.isASCII = isASCII
        self.contains = contains
        self.begins = begins
        self.ends = ends
        self.mayDiffer = mayDiffer
    }
}
