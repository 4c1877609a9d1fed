import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable
import _HostileInputs

/// Damaged archives of objects are objects or typed errors, whatever the damage.
@Suite struct HostileObjectTests {
    static let seeds: [Data] = {
        let boxes = FoundationClassTests.cases.map { Box($0.object) }
        let whole = NSArray(array: boxes)
        return [
            try? ObjectArchiveTransformer<NSArray>(classes: [Box.self]).encode(whole),
            try? ObjectArchiveTransformer<Everything>().encode(.sample()),
            try? ObjectArchiveTransformer<Everything>(format: .xml).encode(.sample()),
            try? ObjectArchiveTransformer<Node>().encode(Node("root", [Node("a", [Node("c")]), Node("b")])),
        ]
        .compactMap { $0 } + boxes.compactMap { try? ObjectArchiveTransformer<Box>().encode($0) }
    }()

    static func read(_ data: Data) {
        func attempt<Value>(_ type: Value.Type) where Value: NSObject & NSSecureCoding {
            do {
                _ = try ObjectArchiveTransformer<Value>(classes: [Box.self, Node.self]).decode(data)
            } catch let error as TransformerError {
                #expect(!error.message.isEmpty)
            } catch {
                Issue.record("an error that is no TransformerError: \(error)")
            }
        }
        attempt(Everything.self)
        attempt(Node.self)
        attempt(Box.self)
        attempt(NSArray.self)
    }

    /// A sample: `make fuzz` reads millions, in a release build.
    @Test(arguments: 0..<4)
    func mutationsAreObjectsOrTypedErrors(seed: Int) {
        var mutator = ByteMutator(seed: UInt64(seed) &+ 1000)
        for round in 0..<400 {
            Self.read(Data(mutator.mutated(Array(Self.seeds[round % Self.seeds.count]))))
        }
    }
}
