// Sends a comment by Ctrl+Enter or ⌘Enter, and shows one that was written from this page. Pages with comments load it, beside the page's
// script.

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, target, isComposing } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || isComposing || !(target as Element).matches('#comment-text')) return
  event.preventDefault()
  ;(target as HTMLTextAreaElement).form?.requestSubmit()
})
// Where a comment that has been sent leads to is this page, which does not have it yet.
addEventListener('hashchange', () => {
  const id = location.hash.slice(1)
  if (id.startsWith('comment-') && !document.getElementById(id)) location.reload()
})
