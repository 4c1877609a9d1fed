import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

@Suite struct ObjectArchivePluginTests {
    @Test(arguments: ["keyed-archive", "keyed-archive(format: xml)"])
    func archivesValuesAndCodableTypesAsKeyedArchivePluginDoes(expression: String) throws {
        let plain = try TransformerRegistry { KeyedArchivePlugin() }
        let objects = try TransformerRegistry { ObjectArchivePlugin() }
        let codable = ["a": [1, 2.5]]
        let expected = try plain.transformer(expression, for: [String: [Double]].self).encode(codable)
        #expect(try objects.transformer(expression, for: [String: [Double]].self).encode(codable) == expected)
        let value: ArchivedValue = ["a": [1, 2.5, true], "b": .set(["x"])]
        let bytes = try plain.transformer(expression, for: ArchivedValue.self).encode(value)
        #expect(try objects.transformer(expression, for: ArchivedValue.self).encode(value) == bytes)
        #expect(try objects.resolve(expression).signature == plain.resolve(expression).signature)
    }

    @Test func hasTheInspectorsOfKeyedArchivePlugin() throws {
        let bytes = try ArchivedValueTransformer().encode(["a": 1])
        let inspections = try ObjectArchivePlugin().inspectors.compactMap { try $0.inspect(bytes) }
        #expect(inspections.first?.kind == "keyed archive")
    }

    @Test func rejectsARegistryWithBothPlugins() {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry {
                KeyedArchivePlugin()
                ObjectArchivePlugin()
            }
        }
        #expect(error?.code == .duplicateName)
    }

    @Test func errorOfKeyedArchivePluginNamesThePlugin() {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry { KeyedArchivePlugin() }.transformer("keyed-archive", for: Box.self)
        }
        #expect(error?.code == .unsupportedType)
        #expect(error?.message.contains("ObjectArchivePlugin") == true)
    }
}
