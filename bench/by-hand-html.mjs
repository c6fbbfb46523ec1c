// A row of the HTML list, in plain strings.
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })
const short = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' })

/**
 * @param actions the HTML of a row's menu, split around `{key}`, `{label}` and `{row}`
 */
export function htmlRow([id, title, slug, body, status, views, price, active, author, created, updated], rowNumber, actions) {
  const label = escaped(title)
  const fill = { '{key}': id, '{label}': label, '{row}': rowNumber }
  let menu = ''
  for (const piece of actions) menu += fill[piece] ?? piece
  return `<tr><td class="pick"><label><input type="checkbox" name="ids[]" value="${id}" form="index-table-posts-picked" aria-label="Select ${label}"></label></td><td><span class="id">${id}</span></td><th scope="row" class="first label"${titleOf(title)}><a href="/admin/resource/posts/crud/${id}">${label}</a></th><td class="meta"${titleOf(slug)}>${escaped(slug)}</td><td${titleOf(body)}><span class="text-block">${escaped(body)}</span></td><td class="meta">${escaped(status)}</td><td class="end meta"><span class="number">${number.format(views)}</span></td><td class="end"><span class="number">${number.format(price)}</span></td><td class="center">${active === 1 ? '<span class="tick" role="img" aria-label="Yes">✓</span>' : '<span class="dash" role="img" aria-label="No">–</span>'}</td><td class="end"><span class="number">${number.format(author)}</span></td><td>${time(created)}</td><td>${time(updated)}</td>${menu}</tr>`
}

function time(at) {
  const date = new Date(at)
  return `<time datetime="${date.toISOString()}" title="${long.format(date)}">${short.format(date)}</time>`
}

function titleOf(text) {
  return text.length > 30 ? ` title="${escaped(text)}"` : ''
}

const escapes = { '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;' }

function escaped(text) {
  return /["&'<>]/.test(text) ? text.replace(/["&'<>]/g, (char) => escapes[char]) : text
}
