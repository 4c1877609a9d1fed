/// A text in an image file: PNG's tEXt, zTXt, and iTXt, JPEG's comment, or XMP.
public struct ImageText: Sendable, Hashable {
    /// The keyword, such as “Title”, “Author”, or “Comment”: 1 to 79 Latin-1 characters.
    public var keyword: String
    /// The text.
    public var text: String
    /// The language in the format of RFC 3066, or an empty string if it is not known.
    public var language: String
    /// The keyword in that language, or an empty string if there is none.
    public var translatedKeyword: String

    /// The keyword of a JPEG comment.
    public static let commentKeyword = "Comment"
    /// The keyword of XMP, as registered for PNG.
    public static let xmpKeyword = "XML:com.adobe.xmp"

    /// Creates a text with a keyword.
    public init(_ keyword: String, _ text: String, language: String = "", translatedKeyword: String = "") {
        self.keyword = keyword
        self.text = text
        self.language = language
        self.translatedKeyword = translatedKeyword
    }
}
