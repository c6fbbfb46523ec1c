let region: HTMLElement | null = null

/** Tells who hears the page what has changed on it, when they are done listening to what they hear now. */
export function say(words: string): void {
  if (!region) {
    region = document.createElement('div')
    region.className = 'unseen'
    region.ariaLive = 'polite'
    document.body.append(region)
  }
  // The same words twice are news, too: without a change nothing is read.
  region.textContent = region.textContent === words ? `${words}\u00a0` : words
}
