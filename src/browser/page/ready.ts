const asked = 'readying'

/** Waits for what other scripts still do for a form, such as sending its files; false: some of it failed or was cancelled. */
export async function ready(form: HTMLFormElement): Promise<boolean> {
  const waits: Promise<boolean>[] = []
  form.dispatchEvent(new CustomEvent(asked, { bubbles: true, detail: waits }))
  return (await Promise.all(waits)).every(Boolean)
}

/** Has forms wait, before they are sent, for what `wait` returns. */
export function beforeSending(wait: (form: HTMLFormElement) => Promise<boolean>): void {
  addEventListener(asked, ({ target, detail }: CustomEventInit<Promise<boolean>[]> & Partial<Event>) =>
    detail?.push(wait(target as HTMLFormElement)),
  )
}
