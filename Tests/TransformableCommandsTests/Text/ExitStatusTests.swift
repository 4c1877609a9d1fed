import Foundation
import Testing
import Transformable
import TransformableCommands

/// Every code of an error that a transformer can throw has its status, wherever it is registered.
@Suite struct ExitStatusTests {
    private static func run(_ code: String) throws -> CommandRun {
        try CommandRun("encode", "failing", "x") { _ in
            try TransformerRegistry {
                Registration(
                    "failing",
                    OneWayFunctionTransformer<String, String> { _ in
                        throw TransformerError(TransformerError.Code(rawValue: code), "it failed")
                    }
                )
            }
        }
    }

    @Test(arguments: [
        ("contextual-element", 64), ("stages-do-not-fit", 64), ("unsupported-type", 64), ("invalid-argument", 64),
        ("truncated-data", 65), ("invalid-data", 65), ("invalid-value", 65), ("limit-exceeded", 65),
        ("unsupported", 65), ("of-a-plugin", 65), ("cryptography-unavailable", 70), ("missing-key", 77),
        ("retired-key", 77), ("key-provider-needed", 77), ("wrong-passphrase", 77), ("authentication-failed", 77),
        ("passphrase-needed", 77), ("refused-key-file", 77), ("invalid-key-file", 77),
    ])
    func exitsWithTheStatusOfTheErrorCode(code: String, status: Int32) throws {
        let run = try Self.run(code)
        #expect(run.status == status)
        #expect(run.messages.hasPrefix("error: failing: it failed"))
    }
}
