type Look = (root: ParentNode) => void

const looks: Look[] = []

/** Runs for the page now, and for each part replaced later. */
export function whenShown(look: Look): void {
  looks.push(look)
  look(document)
}

/** To be called by whoever inserts new markup. */
export function swapped(root: ParentNode): void {
  for (const look of looks) look(root)
}
