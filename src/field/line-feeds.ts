/** A text with the line ends that are stored: a browser sends others. */
export function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
