/** The names that a type has, each of them and no other. */
export type Names<T> = { readonly [K in keyof Required<T>]: true }

/** The names in what is written that are none of these, and what to say of each. */
export function unknownIn(written: object, known: { readonly [name: string]: true }): readonly (readonly [name: string, text: string])[] {
  const names = Object.keys(written).filter((name) => !Object.hasOwn(known, name))
  return names.map((name) => [name, `unknown setting "${name}". Valid: ${Object.keys(known).join(', ')}`])
}
