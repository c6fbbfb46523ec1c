let region: HTMLElement | null = null

/** Announces a change to screen readers, after what they are reading. */
export function say(words: string): void {
  if (!region) {
    region = document.createElement('div')
    region.className = 'unseen'
    region.ariaLive = 'polite'
    document.body.append(region)
  }
  // Repeated words must be read, too, and screen readers read only changes.
  region.textContent = region.textContent === words ? `${words}\u00a0` : words
}
