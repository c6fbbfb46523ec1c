/** Converts a browser's CRLF line ends to the LF that is stored. */
export function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
