const mark = Symbol.for('daymark.document-only')

/** Says that panels are defined in this process for their documents alone: none of them is opened. By a symbol, since a panel's file may bring a Daymark of its own. */
export function defineForDocuments(): void {
  Object.assign(globalThis, { [mark]: true })
}

export const isDocumentOnly = (): boolean => mark in globalThis
