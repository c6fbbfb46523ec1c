// Says to a process that it serves for another one, which watches. A channel alone may be that of a process manager.
export const watched = 'DAYMARK_WATCHED'

/** Calls `stop` once the process that watches is gone: if it was killed, nobody else would end this one. */
export function endWithWatcher(stop: () => void): void {
  if (process.env[watched] === '1' && process.channel) process.once('disconnect', stop)
}
