import Foundation
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableTesting
import WebPPlugin

/// The laws of every transformer of every plugin.
@Suite struct PluginLawTests {
    private static let isThorough = ProcessInfo.processInfo.environment["TRANSFORMABLE_LAWS"] != nil

    @Test(arguments: AllSamples.all.indices)
    func lawsHold(index: Int) throws {
        try assertLaws(of: AllSamples.all[index])
    }

    @Test func everyNameHasSamples() throws {
        let names = try AllSamples.registry().registrations.map(\.name)
        let sampled = try AllSamples.all.map { try TransformerExpression($0.expression).stages[0].name }
        #expect(names.filter { !sampled.contains($0) } == [])
    }

    /// A name that no plugin registers would compile, and fail when a store opens.
    @Test func typedExpressionsResolve() throws {
        let registry = try AllSamples.registry()
        func resolve<Value>(_ expressions: [TypedExpression<Value>]) throws {
            for expression in expressions { _ = try registry.transformer(expression.text, for: Value.self) }
        }
        for expression in [CodableExpression.json, .propertyList, .keyedArchive] {
            _ = try registry.transformer(expression.text, for: [Int].self)
        }
        try resolve([TypedExpression<RasterImage>.png, .jpeg, .jpeg(quality: 80), .image, .image(strip: true)])
        try resolve([
            TypedExpression<RasterImage>.jpeg(strip: true), .image(unknown: .keep), .webP, .webP(lossless: true),
        ])
        try resolve([TypedExpression<CGPoint>.point])
        try resolve([TypedExpression<CGSize>.size])
        try resolve([TypedExpression<CGRect>.rect])
        try resolve([TypedExpression<NSEdgeInsets>.insets])
        try resolve([TypedExpression<AffineTransform>.affineTransform])
        try resolve([TypedExpression<Range<Int>>.range])
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
        laws.options.damagesPerValue = Self.isThorough ? 24 : 4
        laws.options.oversizedValues = Self.isThorough ? 1 : 0
        // The processor's time tells a slow call; on a clock a busy machine would.
        laws.options.wallTime = .seconds(300)
        for violation in laws.violations() {
            Issue.record("\(samples.expression): \(violation)")
        }
    }
}
