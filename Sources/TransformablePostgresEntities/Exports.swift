// Names of the two modules that this one joins appear in its declarations.
@_exported public import TransformableEntities
@_exported public import TransformablePostgres
