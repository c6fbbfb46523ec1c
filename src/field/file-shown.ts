import { block, type Html, html } from '../base/html.js'
import type { ViewContext } from './field.js'
import { fileName } from './file-name.js'
import { played } from './file-type.js'
import { isTexts } from './texts.js'

/** A file's name, as a link to the file if there is one. */
export function fileLink(path: string, { fileUrl }: ViewContext): Html {
  const [name, url] = [fileName(path), fileUrl(path)]
  return url === null ? html`${name}` : html`<a class="file" href="${url}">${name}</a>`
}

/** A player of a sound or a film; null: the file is neither. */
export function filePlayer(path: string, { fileUrl }: ViewContext): Html | null {
  const [name, url] = [fileName(path), fileUrl(path)]
  const how = played(name)
  if (how === null || url === null) return null
  return how === 'audio'
    ? html`<audio class="player" controls preload="metadata" src="${url}" aria-label="${name}"></audio>`
    : html`<video class="player" controls preload="metadata" src="${url}" aria-label="${name}"></video>`
}

/**
 * The cell of a field of files: of several, in a list as many as there is room for, and how many more there are.
 *
 * @param room how many have room in the column of a list
 */
export function filesCell(value: unknown, ctx: ViewContext, room: number, drawn: (path: string, ctx: ViewContext) => Html): Html {
  if (typeof value === 'string') return drawn(value, ctx)
  if (!isTexts(value)) return html`${JSON.stringify(value)}`
  if (value.length === 0) return html`<span class="none">&mdash;</span>`
  if (ctx.inWords) return html`<ul class="files">${value.map((path) => html`<li>${drawn(path, ctx)}</li>`)}</ul>`
  const rest = value.length - room
  return block`
    <span class="files">
      ${value.slice(0, room).map((path) => drawn(path, ctx))}
      ${rest > 0 && html`<span class="rest">+${rest}</span>`}
    </span>
  `
}
