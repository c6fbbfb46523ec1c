/** A GET form's address, without its empty fields. */
export function addressOf(form: HTMLFormElement): string {
  const given = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][]
  const query = new URLSearchParams(given).toString()
  return new URL(form.action).pathname + (query === '' ? '' : `?${query}`)
}
