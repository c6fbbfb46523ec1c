/** Gives the browser a file to save. */
export function saveFile(name: string, address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
