// 1.5 · 2^52: adding and subtracting it rounds a double to a whole number.
const rounder = '6755399441055744.0'

/** A column of doubles in whole millionths, as SQL. For values within ±10^9, dividing by 1e6 tells whether that is the very double. */
export const millionthsOf = (name: string): string => `(${name} * 1e6 + ${rounder} - ${rounder})`
