extension HelpTopic {
    static let modelsText = """
        A model describes a store's contents as JSON, for “store create --model”:

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
          version             the version of the model, starting at 1; raise it to
                              migrate stores
          tenants             whether every object belongs to a tenant, except those
                              of shared entities
          entities            the list of entities
          fetchRequests       conditions with parameters, for “store fetch”

        ENTITY
          name                the table's name: letters, digits, and _, beginning with
                              a letter
          parent              the entity to inherit from
          abstract            whether the entity has no objects of its own
          attributes, relationships, composites
          transientRelationships
                              kept only in memory: name, to, many, userInfo
          unique              lists of names whose combined values must be unique
          indexes             lists of names, in the order of an index; use
                              { "name": NAME, "descending": true } for the
                              opposite order
          projections         columns computed from several attributes
          authenticatesRows   whether each row has a tag, so that changes made without
                              the store's key are detected; writing requires that key
          shared              whether the objects are the same for all tenants
          renamedFrom         the name in earlier versions, or a list of names; use
                              { "name": NAME, "in": VERSION } to also give the version
                              that no longer has the name
          addedIn             the version that added the entity
          userInfo            strings by name, for use by programs

        ATTRIBUTE
          name                the column's name
          type                int8 to int64, uint8 to uint64, decimal, double, float,
                              string, boolean, date, data, uuid, url, or transformed
                              (keyed-archive unless “transformer” says otherwise)
          transformer         in place of a type: an expression (see “explain”)
          optional            whether the attribute can have no value
          default             a value, { "make": "now" }, or { "make": "uuid" }
          indexed, unique     for plain types
          derived             computed by the store: lowercase:(NAME),
                              uppercase:(NAME), canonical:(NAME), now(), or
                              RELATIONSHIP.@count
          minimum, maximum    for numbers
          minimumLength, maximumLength, pattern
                              for text
          externalStorage     { "over": BYTES }: store larger values in files
          projections         columns computed from the value, which SQL can compare:
                              name, transformer, indexed. If the attribute is sealed,
                              they must be keyed, unless they have “reveals”: true
          transient           kept in memory only; the type can then be undefined
          decode              onAccess (the default) or onFetch
          encode              onSave (the default) or onSet
          renamedFrom, addedIn, userInfo

        COMPOSITE
          name, optional      one value in several columns; whether it may have none
          parts               stored attributes, in columns named NAME_PART
          renamedFrom, addedIn

        RELATIONSHIP
          name                the relationship's name
          to                  the entity of the related objects
          many, ordered       whether it has many objects, and keeps their order
          optional            whether it can have no object
          inverse             the relationship in the other direction
          deleteRule          nullify (the default), cascade, deny, or no-action
          minimumCount, maximumCount
          renamedFrom, addedIn, userInfo

        FETCH REQUEST
          name, entity        its name, and the entity of the objects
          where               a condition, which can contain parameters: age > $age
          sortedBy            names, or { "name": NAME, "descending": true }
          limit, offset, userInfo

        Unknown keys and contradictions are errors; the message lists each of them
        with its line and column. “store schema --json” writes the model of an
        existing store.
        """
}
