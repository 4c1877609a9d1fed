// Users of a store also work with models, conditions, and object identifiers. Importing the store is enough.
@_exported public import TransformableModel
