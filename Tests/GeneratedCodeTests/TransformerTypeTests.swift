import EncryptionPlugin
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import WebPPlugin

/// The types of transformed properties are those that the transformers take.
@Suite struct TransformerTypeTests {
    @Test func matchesTheRegistry() throws {
        let registry = try TransformerRegistry {
            EncryptionPlugin()
            GeometryPlugin()
            ImagePlugin()
            KeyedArchivePlugin()
            StandardPlugin()
            WebPPlugin()
        }
        var count = 0
        for registration in registry.registrations {
            let name = registration.name.rawValue
            guard let type = try? registry.resolve(name), type.isReversible else { continue }
            let model = try Model(entities: [EntityDescription("Thing", attributes: [.transformed("value", name)])])
            let code = ModelCode(of: model, named: "App")
            // NSRange is another name for this type.
            let typeName = "\(type.valueType)".replacing("_NSRange", with: "NSRange")
            #expect(code.singleFile.text.contains(" var value: \(typeName)\n"), "\(name)")
            #expect(code.notes == [], "\(name)")
            count += 1
        }
        #expect(count > 40)
    }
}

/// The type of an attribute in the model “Mapped”.
enum Sky: Int64 {
    case clear
    case cloudy
}
