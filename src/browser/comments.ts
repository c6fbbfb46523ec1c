// Sends a comment by Ctrl+Enter or ⌘Enter, shows the one that the URL names, and puts the focus where the user goes on. Pages with
// comments load it, beside the page's script.

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, target, isComposing } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || isComposing || !(target as Element).matches('#comment-text')) return
  event.preventDefault()
  ;(target as HTMLTextAreaElement).form?.requestSubmit()
})
// Where a comment that has been sent leads to is this page, which does not have it yet, or still has the one that was deleted.
addEventListener('hashchange', () => {
  if (/^#comments?-/.test(location.hash) && !document.getElementById(location.hash.slice(1))) location.reload()
})
const elsewhere = earlierPage()
if (elsewhere) location.replace(elsewhere)
else if (document.activeElement === document.body) goOn()

/** Where the comment is that the URL names: it was copied when the page of the record still showed it. */
function earlierPage(): URL | null {
  const [, asked] = /^#comment-(\d+)$/.exec(location.hash) ?? []
  const earlier = document.querySelector<HTMLAnchorElement>('#comments > .more')
  const oldest = document.querySelector('#comments li')?.id.slice('comment-'.length)
  if (!earlier || !(Number(asked) < Number(oldest))) return null
  const to = new URL(earlier.href)
  to.searchParams.set('cursor', String(Number(asked) + 1))
  to.hash = location.hash
  return to
}

function goOn(): void {
  const id = /^#(comments|comment-\d+)/.exec(location.hash)?.[1]
  const place = id === undefined ? null : document.getElementById(id)
  // Neither is a control, so it has to be told that it takes the focus.
  if (place) place.tabIndex = -1
  place?.focus()
  const changed = document.querySelector<HTMLTextAreaElement>('.comment-form textarea')
  // On a phone, the keyboard would cover the page.
  if (changed && matchMedia('(pointer: fine)').matches) {
    changed.focus()
    changed.setSelectionRange(changed.value.length, changed.value.length)
  }
}
