extension HelpTopic {
    static let modelsText = """
        A model says what a store keeps, as JSON. “store create --model” reads it:

          { "transformableModel": 1, "version": 1, "entities": [
            { "name": "Patient",
              "attributes": [
                { "name": "name", "type": "string", "indexed": true },
                { "name": "born", "type": "date", "optional": true },
                { "name": "age", "type": "int16", "minimum": 0, "maximum": 150 },
                { "name": "active", "type": "boolean", "default": true },
                { "name": "key", "type": "uuid", "default": { "make": "uuid" } },
                { "name": "bed", "transformer": "rect", "optional": true,
                  "projections": [
                    { "name": "area", "transformer": "rect-area", "indexed": true }
                  ] },
                { "name": "scan", "transformer": "png | sealed", "optional": true,
                  "externalStorage": { "over": 65536 } } ],
              "relationships": [
                { "name": "visits", "to": "Visit", "many": true,
                  "inverse": "patient", "deleteRule": "cascade" } ],
              "unique": [["name", "born"]] },
            { "name": "Visit",
              "attributes": [ { "name": "reason", "type": "string" } ],
              "relationships": [
                { "name": "patient", "to": "Patient", "inverse": "visits" } ] }
          ] }

        MODEL
          transformableModel  the version of this format, which is 1
          version             the version of the model, from 1; raise it to migrate
          entities            the list of entities

        ENTITY
          name                the table's name: letters, digits and _
          parent, abstract    inherits from another entity; has no objects of its own
          attributes, relationships, composites
          unique              lists of names whose values together occur once
          projections         computed columns over several attributes
          renamedFrom         the name in earlier versions, or a list of them: names, or
                              { "name": NAME, "in": VERSION } with the version that
                              gave it up
          addedIn             the version that added it
          userInfo            texts by name, for programs

        ATTRIBUTE
          name                the column's name
          type                int16, int32, int64, decimal, double, float, string,
                              boolean, date, data, uuid or url
          transformer         in place of a type: an expression (see “explain”)
          optional            whether it may have no value
          default             a value, { "make": "now" } or { "make": "uuid" }
          indexed, unique     for plain types
          minimum, maximum    of numbers
          minimumLength, maximumLength, pattern
          externalStorage     { "over": BYTES }: larger values lie in files
          projections         columns computed of the value, which SQL can compare:
                              name, transformer, indexed; of a sealed attribute only
                              keyed ones, unless one says “reveals”: true
          transient           in memory only; its type may be undefined
          decode, encode      when transformers run
          renamedFrom, addedIn, userInfo

        RELATIONSHIP
          name, to            what it is called, and the entity that it leads to
          many, ordered       leads to many objects; keeps them in an order
          optional            whether it may lead to nothing
          inverse             the relationship that leads back
          deleteRule          nullify (the default), cascade, deny or no-action
          minimumCount, maximumCount
          renamedFrom, addedIn, userInfo

        An unknown key is an error, and so is everything that contradicts itself: the
        message lists every fault with its line and column. “store schema --json”
        writes the model of a store.
        """
}
