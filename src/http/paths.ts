/** A route at the end of a path, and which segments are its parameters. */
interface End<T> {
  readonly to: T
  readonly params: readonly (readonly [name: string, at: number])[]
}

/** The segments that may follow: literal names are tried before the parameter. */
interface Step<T> {
  readonly named: Map<string, Step<T>>
  any: Step<T> | null
  end: End<T> | null
}

/** A match, with its parameters as written in the path. */
export interface FoundPath<T> {
  readonly to: T
  readonly params: ReadonlyMap<string, string>
}

/**
 * Compiles a table of paths (`/a/{b}/{c?}`) into a lookup. It walks the segments, so its cost does not depend on the size of the table.
 * A parameter is exactly one segment and never empty.
 *
 * @throws TypeError for a path whose parameters have any other form
 */
export function paths<T>(table: Iterable<readonly [path: string, to: T]>): (path: string) => FoundPath<T> | null {
  const start = step<T>()
  for (const [path, to] of table) for (const one of spellings(path)) add(start, one, to)
  return (path) => {
    const segments = segmentsOf(path)
    const end = follow(start, segments, 0)
    return end && { to: end.to, params: new Map(end.params.map(([name, at]) => [name, segments[at] as string])) }
  }
}

function step<T>(): Step<T> {
  return { named: new Map(), any: null, end: null }
}

/** What paths that match the same have in common, for each path that this one stands for. */
export function shapesOf(path: string): readonly string[] {
  return spellings(path).map((one) => segmentsOf(one.replaceAll(/\{\w+\}/g, '{}')).join('/'))
}

/** A path with and without its optional last parameter. */
function spellings(path: string): readonly string[] {
  const optional = /\/\{\w+\?\}$/.exec(path)
  return optional ? [path.slice(0, optional.index), path.replace('?}', '}')] : [path]
}

function add<T>(start: Step<T>, path: string, to: T): void {
  const params: [string, number][] = []
  let at = start
  for (const [i, segment] of segmentsOf(path).entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined && segment.includes('{'))
      throw new TypeError(`"${path}": a parameter is a whole segment, {name}, and only the last may be {name?}`)
    if (name !== undefined) params.push([name, i])
    const next: Step<T> = (name === undefined ? at.named.get(segment) : at.any) ?? step<T>()
    if (name === undefined) at.named.set(segment, next)
    else at.any = next
    at = next
  }
  // Of two paths that differ only in parameter names, the first wins.
  at.end ??= { to, params }
}

function follow<T>({ named, any, end }: Step<T>, segments: readonly string[], at: number): End<T> | null {
  if (at === segments.length) return end
  const segment = segments[at] as string
  const next = named.get(segment)
  const found = next ? follow(next, segments, at + 1) : null
  return found ?? (any && segment !== '' ? follow(any, segments, at + 1) : null)
}

/** One trailing slash is ignored. */
function segmentsOf(path: string): readonly string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  return path.slice(1, end).split('/')
}
