/// A text that an image carries: PNG's tEXt, zTXt and iTXt, JPEG's comment, XMP.
public struct ImageText: Sendable, Hashable {
    /// What the text is: “Title”, “Author”, “Comment”; 1 to 79 Latin-1 characters.
    public var keyword: String
    /// The text.
    public var text: String
    /// Its language as RFC 3066 writes it; empty where none is stated.
    public var language: String
    /// The keyword in that language; empty where there is none.
    public var translatedKeyword: String

    /// The keyword of a JPEG's comment.
    public static let commentKeyword = "Comment"
    /// The keyword under which XMP is kept, as PNG's registry has it.
    public static let xmpKeyword = "XML:com.adobe.xmp"

    /// Makes a text under a keyword.
    public init(_ keyword: String, _ text: String, language: String = "", translatedKeyword: String = "") {
        self.keyword = keyword
        self.text = text
        self.language = language
        self.translatedKeyword = translatedKeyword
    }
}
