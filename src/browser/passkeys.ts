// Signs in with a passkey, and makes one: what only a script can ask the browser for. The sign-in page and that of the user's passkeys load
// it, beside the page's script. What comes of it is sent by a form, as anything else is.

import { clearErrors, fieldErrors } from './form/field-errors.js'
import { busy } from './page/busy.js'
import { saidBy, text } from './page/parts.js'
import { send } from './page/send.js'

// Some browsers know passkeys but have no function for what servers send.
interface Reads {
  parseCreationOptionsFromJSON?(options: unknown): PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?(options: unknown): PublicKeyCredentialRequestOptions
  isConditionalMediationAvailable?(): Promise<boolean>
}

// In milliseconds: a challenge is valid for five minutes.
const anew = 240_000

// In milliseconds: who has stopped the page that was to come can begin again.
const patience = 5000

const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
const passkeys = window.PublicKeyCredential as unknown as Reads | undefined
// A browser makes and uses passkeys for one origin.
if (form && passkeys && form.dataset.origin === location.origin) (form.dataset.passkey === 'make' ? making : signingIn)(form, passkeys)

/** Shows the form, which makes a passkey when it is sent. */
function making(form: HTMLFormElement, reads: Reads): void {
  document.querySelector('[data-passkey-where]')?.remove()
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') busy(form, event.submitter, make)
  })

  async function make(): Promise<void> {
    say(form, '')
    clearErrors(form)
    const { name, currentPassword } = Object.fromEntries(new FormData(form)) as Record<string, string>
    const asked = await options(form, { name, ...(currentPassword !== undefined && { currentPassword }) })
    if (!asked) return
    try {
      const publicKey = reads.parseCreationOptionsFromJSON?.(asked) ?? {
        ...asked,
        challenge: bytesOf(asked.challenge),
        user: { ...asked.user, id: bytesOf(asked.user.id) },
        excludeCredentials: asked.excludeCredentials.map(known),
      }
      const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      const response = made.response as AuthenticatorAttestationResponse
      // The challenge says that the password was right.
      const typed = form.elements.namedItem('currentPassword') as HTMLInputElement | null
      if (typed) typed.disabled = true
      const sent = submit(form, made, {
        clientDataJSON: textOf(response.clientDataJSON),
        attestationObject: textOf(response.attestationObject),
        transports: response.getTransports?.() ?? [],
      })
      if (typed) typed.disabled = false
      await sent
    } catch (thrown) {
      const { name: why } = thrown as Error
      say(form, why === 'InvalidStateError' ? (form.dataset.there as string) : whyNot(form, thrown))
    }
  }
}

/** Shows the button, and has the browser offer passkeys where it offers usernames. */
function signingIn(form: HTMLFormElement, reads: Reads): void {
  const way = document.querySelector('[data-passkey-way]') as HTMLElement
  const button = way.querySelector('[data-passkey-press]') as HTMLElement
  let offering = new AbortController()
  way.hidden = false
  button.addEventListener('click', () => {
    if (form.ariaBusy === 'true') return
    // A browser asks once at a time.
    offering.abort()
    say(way, '')
    busy(form, button, async () => {
      const asked = await options(form, {}, way)
      const why = asked && (await signIn(asked, {}))
      if (why) say(way, whyNot(form, why))
      if (why || !asked) offer()
    })
  })
  offer()

  /** Signs in; or returns why not. */
  async function signIn(asked: Asked, how: Pick<CredentialRequestOptions, 'mediation' | 'signal'>): Promise<unknown> {
    try {
      const publicKey = reads.parseRequestOptionsFromJSON?.(asked) ?? {
        ...asked,
        challenge: bytesOf(asked.challenge),
        allowCredentials: [],
      }
      const used = (await navigator.credentials.get({ publicKey, ...how })) as PublicKeyCredential
      const response = used.response as AuthenticatorAssertionResponse
      const remember = document.querySelector<HTMLInputElement>('.sign-in [name=remember]')?.checked
      ;(form.elements.namedItem('remember') as HTMLInputElement).value = remember ? '1' : ''
      await submit(form, used, {
        clientDataJSON: textOf(response.clientDataJSON),
        authenticatorData: textOf(response.authenticatorData),
        signature: textOf(response.signature),
        userHandle: response.userHandle && textOf(response.userHandle),
      })
      return null
    } catch (thrown) {
      return thrown
    }
  }

  /** Offers passkeys in the field of the username, until the button is pressed. What fails here nobody has asked for. */
  async function offer(): Promise<void> {
    if (!document.querySelector('[autocomplete~=webauthn]') || !(await reads.isConditionalMediationAvailable?.())) return
    offering.abort()
    offering = new AbortController()
    const { signal } = offering
    const again = setTimeout(offer, anew)
    signal.addEventListener('abort', () => clearTimeout(again))
    const { ok, body } = await send('POST', form.dataset.options as string, {}, signal).catch(() => ({ ok: false, body: null }))
    if (ok && !signal.aborted) await signIn(body.options, { mediation: 'conditional', signal })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as the documented JSON has it
type Asked = any

/** What the browser needs to know; null: the panel has refused it, and the page says why. */
async function options(form: HTMLFormElement, fields: object, place: HTMLElement = form): Promise<Asked | null> {
  try {
    const { ok, status, body } = await send('POST', form.dataset.options as string, fields)
    if (ok) return body.options
    const others = fieldErrors(form, { ...body, status })
    if (others.length > 0) say(place, saidBy({ ...body, status }))
  } catch {
    say(place, text('lost'))
  }
  return null
}

/** Sends what the browser has made. Its own `toJSON()` is not asked: password managers put objects in its place whose function fails. */
async function submit(form: HTMLFormElement, { id, type }: PublicKeyCredential, response: object): Promise<void> {
  ;(form.elements.namedItem('credential') as HTMLInputElement).value = JSON.stringify({ id, rawId: id, type, response })
  form.submit()
  await new Promise((resolve) => setTimeout(resolve, patience))
}

/** Why the browser has not done it. Of all that a user can do about it, it only says that nothing came of it. */
function whyNot({ dataset }: HTMLFormElement, thrown: unknown): string {
  const { name, message } = thrown as Error
  return name === 'NotAllowedError' || name === 'AbortError'
    ? (dataset.cancelled as string)
    : (dataset.failed as string).replace('{count}', () => message || name)
}

function say(place: HTMLElement, words: string): void {
  const notice = place.querySelector('.notices > .notice') as HTMLElement
  notice.hidden = words === ''
  ;(notice.querySelector('p') as HTMLElement).textContent = words
}

const known = (one: { readonly id: string }) => ({ ...one, id: bytesOf(one.id) })

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

function textOf(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
