/** A text and what of it is selected. */
export interface Selected {
  readonly value: string
  readonly from: number
  readonly to: number
}

/** What replaces a part of a text, and what is selected then. */
export interface Edit extends Selected {
  readonly words: string
  readonly select: readonly [from: number, to: number]
}

/** Puts a mark around the selection, or takes it away. */
export function wrapped({ value, ...at }: Selected, mark: string): Edit {
  const size = mark.length
  const chosen = value.slice(at.from, at.to)
  // A mark beside a space is none. A double click selects the space behind a word in some systems.
  const isBlank = chosen.trim() === ''
  const from = isBlank ? at.from : at.from + chosen.length - chosen.trimStart().length
  const to = isBlank ? at.to : at.from + chosen.trimEnd().length
  const inner = value.slice(from, to)
  if (value.slice(from - size, from) === mark && value.slice(to, to + size) === mark) {
    return { value, from: from - size, to: to + size, words: inner, select: [from - size, to - size] }
  }
  if (inner.length >= 2 * size && inner.startsWith(mark) && inner.endsWith(mark)) {
    const words = inner.slice(size, -size)
    return { value, from, to, words, select: [from, from + words.length] }
  }
  if (!inner.includes('\n')) return { value, from, to, words: mark + inner + mark, select: [from + size, to + size] }
  // No mark goes on after an empty line, and code of several lines has marks of its own.
  const words =
    mark === '`'
      ? `${value[from - 1] === '\n' || from === 0 ? '' : '\n'}\`\`\`\n${inner}\n\`\`\`${value[to] === '\n' || to === value.length ? '' : '\n'}`
      : inner.replace(/\S(?:.*\S)?/g, (line) => mark + line + mark)
  return { value, from, to, words, select: [from, from + words.length] }
}

const begins = /^(?:#{1,6} |[-*+] |\d+[.)] |> )/

/** Begins each selected line with a mark, instead of another one, or takes it from all of them. */
export function begun({ value, ...at }: Selected, mark: string): Edit {
  const from = value.slice(0, at.from).lastIndexOf('\n') + 1
  // A selection of whole lines ends where the next one begins.
  const last = at.to > at.from && value[at.to - 1] === '\n' ? at.to - 1 : at.to
  const end = value.indexOf('\n', last)
  const to = end < 0 ? value.length : end
  const lines = value.slice(from, to).split('\n')
  const isNumbered = mark === '1. '
  const several = lines.length > 1
  const counted = lines.filter((line) => !several || line.trim() !== '')
  const has = (line: string) => (isNumbered ? /^\s*\d+\. /.test(line) : line.trimStart().startsWith(mark))
  const without = counted.length > 0 && counted.every(has)
  let number = 0
  const words = lines
    .map((line) => {
      if (several && line.trim() === '') return line
      const indent = /^\s*/.exec(line)?.[0] ?? ''
      const bare = line.slice(indent.length)
      number += 1
      // A quote may hold a heading or a list.
      const rest = without ? bare.replace(isNumbered ? /^\d+\. / : mark, '') : mark === '> ' ? bare : bare.replace(begins, '')
      return indent + (without ? '' : isNumbered ? `${number}. ` : mark) + rest
    })
    .join('\n')
  const caret = from + words.length
  return { value, from, to, words, select: several ? [from, caret] : [caret, caret] }
}

/** Makes a link of the selection, and selects its address. */
export function linked({ value, from, to }: Selected, start: string): Edit {
  const chosen = value.slice(from, to)
  const isAddress = /^https?:\/\/\S+$/.test(chosen)
  const [words, address] = isAddress ? ['', chosen] : [chosen, start]
  const at = from + words.length + 3
  return { value, from, to, words: `[${words}](${address})`, select: isAddress ? [from + 1, from + 1] : [at, at + address.length] }
}

/** Goes on with the list or quote of the line where a new one begins; an empty item ends it. */
export function goneOn({ value, from: at, to: selectedTo }: Selected): Edit | null {
  if (at !== selectedTo) return null
  const from = value.slice(0, at).lastIndexOf('\n') + 1
  const end = value.indexOf('\n', at)
  const found = /^(\s*)([-*+] |> |(\d+)([.)]) )(.*)$/.exec(value.slice(from, at))
  if (!found) return null
  const [, indent = '', mark = '', number, dot, rest = ''] = found
  const isEmpty = rest.trim() === '' && value.slice(at, end < 0 ? value.length : end).trim() === ''
  if (isEmpty) return { value, from, to: at, words: '', select: [from, from] }
  const words = `\n${indent}${number === undefined ? mark : `${Number(number) + 1}${dot} `}`
  return { value, from: at, to: at, words, select: [at + words.length, at + words.length] }
}
