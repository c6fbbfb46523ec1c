// biome-ignore lint/suspicious/noExplicitAny: a document as JSON
type Any = any

/** An OpenAPI document whose operations have their parameters themselves, in place of references to shared ones. */
export function inlined<D>(document: D): D {
  const { paths, components } = document as Any
  const own = (one: Any) => (one.$ref ? components.parameters[one.$ref.slice('#/components/parameters/'.length)] : one)
  const each = (operation: Any) => ({ ...operation, parameters: operation.parameters.map(own) })
  const all = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods as object).map(([method, operation]) => [method, each(operation)])),
  ])
  return { ...document, paths: Object.fromEntries(all) }
}
