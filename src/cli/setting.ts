/** An environment variable; an empty one counts as unset. */
export const setting = (name: string): string | undefined => process.env[name] || undefined
