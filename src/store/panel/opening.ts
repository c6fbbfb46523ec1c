/** Waits for the panel's own tables once. Afterwards it returns null, so that whoever asks before a write need not wait a turn. */
export function opening(ready: () => Promise<unknown>): () => Promise<void> | null {
  let isReady = false
  return () =>
    isReady
      ? null
      : ready().then(() => {
          isReady = true
        })
}
