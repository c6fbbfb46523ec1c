/** The fields as a browser sends them, with CRLF line ends. */
export function sentOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams | FormData {
  const all = new FormData(form, submitter)
  // Files that no script has sent when they were chosen go along with the form.
  if ([...all.values()].some((one) => one instanceof File && one.name !== '')) return all
  return new URLSearchParams(textsOf(form, submitter).map(([name, value]) => [name, value.replace(/\r\n?|\n/g, '\r\n')]))
}

/** What a form sends as texts. Files are sent when they are chosen, and a form then holds their paths. */
export function textsOf(form: HTMLFormElement, submitter: HTMLElement | null = null): [name: string, text: string][] {
  return [...new FormData(form, submitter)].filter((one): one is [string, string] => typeof one[1] === 'string')
}

/** What the check of a form takes: all that is typed, as for a write. */
export function toCheck(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams(textsOf(form))
  for (const name of ['_method', '_once', '_begun', '_version']) fields.delete(name)
  return fields
}
