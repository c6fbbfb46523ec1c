const mark = Symbol.for('daymark.document-only')

/**
 * Declares that this process defines panels only to generate their documents and never opens them. The flag is a global symbol, since a
 * panel's file may load its own copy of Daymark.
 */
export function defineForDocuments(): void {
  Object.assign(globalThis, { [mark]: true })
}

export const isDocumentOnly = (): boolean => mark in globalThis
