type Look = (root: ParentNode) => void

const looks: Look[] = []

/** Runs for the page as it is, and for whatever takes the place of a part of it later. */
export function whenShown(look: Look): void {
  looks.push(look)
  look(document)
}

/** Says that a part of the page is new. Whoever puts markup in calls it. */
export function swapped(root: ParentNode): void {
  for (const look of looks) look(root)
}
