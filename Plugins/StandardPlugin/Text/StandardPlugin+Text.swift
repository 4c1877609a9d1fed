internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var text: [Registration] {
        Registration.text
        Registration("uppercase", summary: "text in uppercase", TextFilter.uppercase)
        Registration("lowercase", version: 2, summary: "text in lowercase", TextFilter.lowercase)
        Registration("capitalized", summary: "text with each word capitalized", TextFilter.capitalized)
        for style in WordCase.allCases {
            Registration(style.name, version: 2, summary: style.summary, WordCaseTransformer(style))
        }
        Registration("reversed", summary: "text with its characters reversed", ReversedTextTransformer())
        Registration("nfc", version: 2, summary: "text in Unicode's composed form", NFCTransformer())
        Registration("trim", version: 2, summary: "text without leading and trailing whitespace", TextFilter.trim)
        Registration("digits", summary: "the digits 0 to 9 of text", TextFilter.digits)
        Registration(
            "first",
            summary: "the first characters of text",
            .writing("count", "the number of characters", in: 0...Int.max)
        ) { count in TextFilter.first(count) }
        Registration(
            "last",
            summary: "the last characters of text",
            .writing("count", "the number of characters", in: 0...Int.max)
        ) { count in TextFilter.last(count) }
        transliterations
    }

    @RegistrationBuilder private static var transliterations: [Registration] {
        Registration(
            "remove-diacritics",
            version: 2,
            summary: "text without accents and other marks",
            TextFilter.removeDiacritics
        )
        Registration("latin", summary: "text in Latin letters", TextFilter.latin)
        Registration("title-case", summary: "text with each word in title case", TextFilter.title)
        Registration("slug", summary: "text as a part of a URL: lodz-moskva", TextFilter.slug)
        Registration.family(
            "transliterate",
            default: String.self,
            summary: "text converted with an ICU transform",
            .reading("transform", "the id of the ICU transform, such as “Latin-Cyrillic”")
        ) { _, transform in
            let transformer = try TransliterationTransformer(transform)
            return transformer.hasInverse ? transformer : TextFilter(transformer.traits, transformer.encode)
        }
    }
}
