import type { Alert, Common, Tone } from '../component.js'

/** Something that whoever sees the page should know. */
export function alert(tone: Tone, title: string, { text, ...more }: Common & { readonly text?: string } = {}): Alert {
  return Object.freeze({ is: 'alert', tone, title, text: text ?? null, ...more })
}
