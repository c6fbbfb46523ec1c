/** The fields of a form without files, as it would send them. */
export function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null = null): URLSearchParams {
  return new URLSearchParams([...new FormData(form, submitter)] as [string, string][])
}
