import Foundation
import Testing
import Transformable
import TransformableTesting

/// The laws of every transformer of every plugin.
@Suite struct PluginLawTests {
    private static let isThorough = ProcessInfo.processInfo.environment["TRANSFORMABLE_LAWS"] != nil

    @Test(arguments: AllSamples.all.indices)
    func hold(index: Int) throws {
        try assertLaws(of: AllSamples.all[index])
    }

    @Test func everyNameHasSamples() throws {
        let names = try AllSamples.registry().registrations.map(\.name)
        let sampled = try AllSamples.all.map { try TransformerExpression($0.expression).stages[0].name }
        #expect(names.filter { !sampled.contains($0) } == [])
    }

    private func assertLaws<Set: SampleSet>(of samples: Set) throws {
        try assertLaws(of: samples.transformer(in: AllSamples.registry()), samples)
    }

    private func assertLaws<Base: OneWayTransformer>(of transformer: Base, _ samples: some SampleSet) throws {
        func cast<From, To>(_ value: From) throws -> To { try #require(value as? To) }
        var laws = TransformerLaws<Base.Value, Base.Encoded>(
            of: transformer,
            values: try cast(samples.values),
            by: try cast(samples.areEqual)
        )
        laws.refused = try cast(samples.refused)
        laws.areInIncreasingOrder = try samples.areInIncreasingOrder.map { try cast($0) }
        laws.rejected = samples.rejected.compactMap { $0 as? Base.Encoded }
        // A fraction of what a plugin's own tests try, and no forms of a megabyte, which take minutes in a debug
        // build: those are for `make laws`, and `make fuzz` tries millions.
        laws.options.damagesPerValue = Self.isThorough ? 24 : 8
        laws.options.oversizedValues = Self.isThorough ? 1 : 0
        // The processor's time tells a slow call; on a clock a busy machine would.
        laws.options.wallTime = .seconds(300)
        for violation in laws.violations() {
            Issue.record("\(samples.expression): \(violation)")
        }
    }
}
