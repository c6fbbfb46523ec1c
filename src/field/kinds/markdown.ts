import { block, html } from '../../base/html.js'
import { type IconName, iconPaths } from '../../base/icon-paths.js'
import type { ViewContext } from '../field.js'
import { defineKind } from '../kind.js'
import { type LongTextMethods, longText, longTextControl } from '../long-text.js'
import { markdownExcerpt, renderedMarkdown } from '../markdown-text.js'

/**
 * Formatted text, stored as Markdown, over text columns: headings, lists, links, tables. Pages show it formatted; lists show how it begins.
 * The form has buttons for the marks and a preview. Index pages leave it out unless they name it.
 *
 * @example
 * ```ts
 * import { defineResource, id, text } from 'daymark'
 * import { markdown } from 'daymark/markdown'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const posts = sqliteTable('posts', { id: integer().primaryKey(), title: varchar().notNull(), body: varchar() })
 * export const Posts = defineResource({ model: posts, fields: { id: id(), title: text('Title'), body: markdown('Body').rows(12) } })
 * ```
 */
export const markdown = defineKind<string, LongTextMethods, 'contains' | 'startsWith' | 'null' | 'eq' | 'ne'>({
  ...longText,
  name: 'markdown',
  preview: true,
  schema: (field) => longText.schema(field).meta({ contentMediaType: 'text/markdown' }),
  cell: (text, _, ctx) => (ctx.inWords ? html`<div class="prose">${renderedMarkdown(text)}</div>` : html`${markdownExcerpt(text)}`),
  words: markdownExcerpt,
  input: (typed, field, ctx) => html`<div class="markdown">${tools(ctx)}${longTextControl(typed, field, ctx)}</div>`,
})

/** Buttons for scripts: each says what it puts before and after the selection, or before its lines. They are one stop of the tab key. */
function tools({ t, id, previewUrl }: ViewContext) {
  const mark = (label: string, face: ReturnType<typeof html> | string, data: Readonly<Record<string, string>>, key?: string) =>
    block`
      <button
        type="button"
        aria-label="${label}"
        title="${key === undefined ? label : `${label} (Ctrl+${key})`}"
        ${key !== undefined && html` aria-keyshortcuts="Control+${key} Meta+${key}"`}
        ${key !== 'B' && html` tabindex="-1"`}
        ${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}
      >
        <span aria-hidden="true">${face}</span>
      </button>
    `
  const preview =
    previewUrl !== null &&
    block`
      <button type="button" class="preview-switch" tabindex="-1" data-preview="${previewUrl}" aria-pressed="false">
        ${t('markdown.preview')}
      </button>
    `
  return block`
    <div class="tools" role="toolbar" aria-label="${t('markdown.tools')}" aria-controls="${id}">
      ${mark(t('markdown.bold'), html`<b>B</b>`, { around: '**' }, 'B')}
      ${mark(t('markdown.italic'), html`<i>I</i>`, { around: '_' }, 'I')}
      ${mark(t('markdown.heading'), 'H', { line: '## ' })}
      ${mark(t('markdown.list'), drawn('list-bullet'), { line: '- ' })}
      ${mark(t('markdown.numbers'), drawn('numbered-list'), { line: '1. ' })}
      ${mark(t('markdown.quote'), drawn('quote'), { line: '> ' })}
      ${mark(t('markdown.code'), drawn('code-bracket'), { around: '`' })}
      ${mark(t('markdown.link'), drawn('link'), { link: 'https://' })}${preview}
    </div>
  `
}

const drawn = (name: IconName) => html`<svg class="icon" viewBox="0 0 24 24"><path d="${iconPaths[name]}"/></svg>`
