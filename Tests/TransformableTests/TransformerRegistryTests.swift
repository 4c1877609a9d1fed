import Foundation
import Testing
import Transformable

@Suite struct TransformerRegistryTests {
    private struct SamplePlugin: TransformerPlugin {
        let name: String
        var names: [TransformerName]

        var registrations: [Registration] {
            for name in names {
                Registration(name, Stages.digits)
            }
            if names.isEmpty {
                Registration("spare", Stages.digits)
            }
        }

        var inspectors: [Inspector] {
            [Inspector(name) { $0.isEmpty ? nil : Inspection(name, facts: [Inspection.Fact("bytes", "\($0.count)")]) }]
        }
    }

    @Test func containsTheRegistrationsOfPlugins() throws {
        let isWanted = false
        let registry = try TransformerRegistry {
            SamplePlugin(name: "second", names: ["z.last", "middle"])
            SamplePlugin(name: "first", names: [])
            Registration("acme.own", Stages.digits)
            if isWanted {
                Registration("unwanted", Stages.digits)
            } else {
                Registration("wanted", Stages.digits)
            }
            for index in 1...2 {
                Registration(TransformerName(rawValue: "loop\(index)"), Stages.digits)
            }
        }
        #expect(registry.plugins == ["second", "first"])
        #expect(
            registry.registrations.map(\.name.rawValue)
                == ["acme.own", "loop1", "loop2", "middle", "spare", "wanted", "z.last"]
        )
        #expect(registry.inspectors.map(\.name) == ["second", "first"])
        #expect(try registry.inspectors[0].inspect(Data(count: 3))?.facts == [Inspection.Fact("bytes", "3")])
        #expect(try registry.registration("middle").name == "middle")
    }

    @Test func rejectsDuplicates() {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry {
                SamplePlugin(name: "one", names: ["digits"])
                Registration("digits", Stages.digits)
            }
        }
        #expect(error?.code == .duplicateName)
        #expect(error?.transformer == "digits")
        #expect(
            error?.message
                == "two transformers are registered as “digits”, one of them by the plugin “one”; rename one of them"
        )
    }

    @Test func namesThePluginsThatRegisterTheSameName() {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry {
                SamplePlugin(name: "one", names: ["digits"])
                SamplePlugin(name: "two", names: ["letters"])
                SamplePlugin(name: "three", names: ["digits"])
            }
        }
        #expect(error?.code == .duplicateName)
        #expect(error?.message.contains("the plugin “one” and the plugin “three”; rename one") == true)
        let own = #expect(throws: TransformerError.self) {
            try TransformerRegistry { SamplePlugin(name: "one", names: ["digits", "digits"]) }
        }
        #expect(
            own?.message == "two transformers are registered as “digits”, by the plugin “one”; rename one of them"
        )
    }

    // What is wrong is not that one of the plugins was added twice.
    @Test func doesNotBlameAnotherPluginThatWasAddedTwice() {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry {
                SamplePlugin(name: "a", names: ["digits"])
                SamplePlugin(name: "b", names: ["digits"])
                SamplePlugin(name: "c", names: ["letters"])
                SamplePlugin(name: "c", names: ["letters"])
            }
        }
        #expect(error?.message.contains("“a” and the plugin “b”") == true)
    }

    @Test func saysThatAPluginWasAddedTwice() {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry {
                SamplePlugin(name: "one", names: ["digits"])
                SamplePlugin(name: "two", names: ["letters"])
                SamplePlugin(name: "one", names: ["digits"])
            }
        }
        #expect(error?.code == .duplicateName)
        #expect(error?.message.contains("the plugin “one” was added twice, so remove one") == true)
    }

    @Test(arguments: ["", "Digits", "digits-", "a..b", "a b"])
    func rejectsInvalidNames(name: String) {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry { Registration(TransformerName(rawValue: name), Stages.digits) }
        }
        #expect(error?.code == .invalidName)
        #expect(error?.message.contains("“\(name)”") == true)
    }

    @Test(arguments: ["", "Width", "wi dth", "wi-dth", "1"])
    func rejectsInvalidLabels(label: String) {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry {
                Registration("digits", .writing(label, "", default: 1)) { (_: Int) in Stages.digits }
            }
        }
        #expect(error?.code == .invalidName)
        #expect(error?.transformer == "digits")
    }

    // Versions start at 1, and a signature with a negative one could not be read again.
    @Test(arguments: [0, -1])
    func rejectsInvalidVersions(version: Int) {
        let error = #expect(throws: TransformerError.self) {
            try TransformerRegistry { Registration("digits", version: version, Stages.digits) }
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.transformer == "digits")
        #expect(error?.message.contains("version \(version)") == true)
    }

    @Test func rejectsDuplicateLabels() {
        #expect(throws: TransformerError(.invalidName, "")) {
            try TransformerRegistry {
                Registration(
                    "digits",
                    .writing("width", "", default: 1),
                    .reading("width", "", default: true)
                ) { (_: Int, _: Bool) in Stages.digits }
            }
        }
    }

    @Test(arguments: [
        ("jpg", "did you mean “jpeg”"), ("seald", "did you mean “sealed”"), ("rects", "did you mean “rect”"),
        ("pont", "did you mean “font” or “point”"), ("xylophone", "add the plugin that provides it"),
    ])
    func suggestsTheNearestNames(name: String, hint: String) throws {
        let registry = try TransformerRegistry {
            SamplePlugin(name: "some", names: ["jpeg", "sealed", "rect", "point", "font", "png"])
        }
        let error = #expect(throws: TransformerError.self) { try registry.resolve(name) }
        #expect(error?.code == .unknownName)
        #expect(error?.transformer == name)
        #expect(error?.message.contains(hint) == true)
    }

    @Test func suggestsNoDistantNames() throws {
        let registry = try TransformerRegistry { Registration.text }
        let error = #expect(throws: TransformerError.self) { try registry.resolve("keyed-archive") }
        #expect(error?.message.contains("did you mean") == false)
    }

    @Test func rethrowsErrorsOfItsContent() {
        struct Refusal: Error {}
        func refuse() throws -> Registration { throw Refusal() }
        #expect(throws: Refusal.self) { try TransformerRegistry { try refuse() } }
    }
}
