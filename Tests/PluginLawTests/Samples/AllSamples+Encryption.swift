import Foundation

extension AllSamples {
    /// What looks like nothing else, so that an error that shows a part of it is noticed.
    private static let secrets = [
        Data(), Data([0]), Data("Q7x!canary-of-the-clinic-51b9".utf8), Data(0...255), Data(repeating: 7, count: 1500),
    ]

    static var encryption: [any SampleSet] {
        let sealed = ["", "(key: \"archive\")", "(padding: none)", "(deterministic: true)"].map { "sealed\($0)" }
        let digests = [
            "sha256", "sha512", "blake2b", "blake2b(size: 16)", "hmac-sha256", "hmac-sha512(key: \"clinic\")",
        ]
        return (sealed + digests).map { Samples($0, secrets) }
            + [
                Samples("text | sealed", Texts.many),
                Samples("blind-index", Texts.many),
                Samples("blind-index(bits: 8, key: \"archive\")", secrets),
            ]
    }
}
