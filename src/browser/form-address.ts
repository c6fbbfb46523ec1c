/** The address that a form asks for, without what is left empty. */
export function addressOf(form: HTMLFormElement): string {
  const given = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][]
  const query = new URLSearchParams(given).toString()
  return new URL(form.action).pathname + (query === '' ? '' : `?${query}`)
}
