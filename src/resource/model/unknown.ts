/** An object with exactly the property names of a type. */
export type Names<T> = { readonly [K in keyof Required<T>]: true }

/** The names in a declaration that are not known, each with an error text. */
export function unknownIn(
  written: object,
  known: { readonly [name: string]: unknown },
): readonly (readonly [name: string, text: string])[] {
  const names = Object.keys(written).filter((name) => !Object.hasOwn(known, name))
  return names.map((name) => [name, `unknown setting "${name}". Valid: ${Object.keys(known).join(', ')}`])
}
