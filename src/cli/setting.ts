/** A variable of the environment; one that is empty is as good as unset. */
export const setting = (name: string): string | undefined => process.env[name] || undefined
