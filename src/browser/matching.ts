// Relations whose choices depend on other fields of the form. Pages with one load it, beside the page's script.

import { setError } from './form/field-errors.js'
import { findRelated } from './form/find-related.js'
import { outdated } from './page/combobox.js'

interface Other {
  readonly ours: string
  /** The name of its control. */
  readonly at: string
  readonly theirs: string
  /** What is said while it is empty. */
  readonly first: string
}

const dependent = '.relation[data-matching]'
// Of hundreds of records, the server says which no longer match.
const most = 20
const asked = new WeakMap<HTMLElement, number>()

const look = ({ target }: Event) => {
  const form = (target as Partial<HTMLInputElement>).form
  if (form) followAll(form, target as Element)
}
addEventListener('input', look)
addEventListener('change', look)
// The reset event comes before the fields change.
addEventListener('reset', ({ target }) => setTimeout(followAll, 0, target))
// A browser may have restored what was typed.
for (const form of document.querySelectorAll<HTMLFormElement>(`form:has(${dependent})`)) followAll(form)

function followAll(form: HTMLFormElement, by: Element | null = null): void {
  const places = form.querySelectorAll<HTMLElement>(dependent)
  // Rows may have hundreds: the form is read once for all of them.
  const sent = places.length > 0 ? new FormData(form) : null
  for (const place of places) if (sent) follow(place, sent, by)
}

/** Narrows the search by what the other fields have now. */
function follow(place: HTMLElement, sent: FormData, by: Element | null): void {
  const field = place.closest<HTMLElement>('.field')
  const { search, matching, hint } = place.dataset
  if (!field || !search || !matching) return
  const others = JSON.parse(matching) as readonly Other[]
  const [path, before] = search.split('?')
  const query = new URLSearchParams(before)
  // One that the user may only read has no control: the server knows its value.
  for (const { ours, at } of others) if (sent.has(at)) query.set(nameOf(ours), String(sent.getAll(at).at(-1)))
  const first = firstOf(others, query)
  // The list of choices covers the hint.
  place.dataset.first = first ?? ''
  const now = `${path}?${query}`
  const isNew = now !== search
  if (isNew) {
    place.dataset.search = now
    const says = field.querySelector(':scope > .hint')
    if (says) says.textContent = first ?? hint ?? ''
    begin(place, others, query)
    // What is offered, or asked for by now, was found by the old ones.
    place.querySelector('[role=combobox]')?.dispatchEvent(new Event(outdated))
  }
  if (isNew || (by && place.contains(by) && isSaid(field, place, others))) void check(field, place, first)
}

function nameOf(key: string): string {
  return `value[${key}]`
}

function firstOf(others: readonly Other[], query: URLSearchParams): string | undefined {
  return others.find(({ ours }) => query.get(nameOf(ours)) === '')?.first
}

/** A new related record begins with what it must match. */
function begin(place: HTMLElement, others: readonly Other[], query: URLSearchParams): void {
  const link = place.querySelector<HTMLAnchorElement>(':scope > .create')
  const names = link?.dataset.begins?.split(' ') ?? []
  if (!link || names.length === 0) return
  const begun = new URLSearchParams(link.search)
  for (const { ours, theirs } of others) {
    const value = query.get(nameOf(ours)) ?? ''
    if (!names.includes(theirs)) continue
    if (value === '') begun.delete(nameOf(theirs))
    else begun.set(nameOf(theirs), value)
  }
  link.search = String(begun)
}

/** Says at the field that a chosen record no longer matches. It stays: the other field may be what was chosen by mistake. */
async function check(field: HTMLElement, place: HTMLElement, first: string | undefined): Promise<void> {
  const mine = (asked.get(place) ?? 0) + 1
  asked.set(place, mine)
  const chosen = place.querySelectorAll<HTMLInputElement>('.combobox > [type=hidden], .chosen [type=checkbox]:checked')
  const keys = [...chosen].map(({ value }) => value).filter(Boolean)
  const found = await Promise.all(keys.slice(0, most).map((key) => isFound(place, key))).catch(() => null)
  // The fields may change faster than answers come: only the latest counts.
  if (!found || mine !== asked.get(place)) return
  const { matching, wrong = '' } = place.dataset
  if (!found.every(Boolean)) setError(field, [first ?? wrong])
  else if (isSaid(field, place, JSON.parse(matching as string))) setError(field, [])
}

async function isFound(place: HTMLElement, key: string): Promise<boolean> {
  return (await findRelated(place, key)).some((one) => one.key === key)
}

/** Whether the field says that its record does not match. */
function isSaid(field: HTMLElement, { dataset: { wrong } }: HTMLElement, others: readonly Other[]): boolean {
  const said = field.querySelector(':scope > .error')?.textContent?.trim()
  return said !== undefined && (said === wrong || others.some(({ first }) => first === said))
}
