import { block, type Html } from '../../base/html.js'

// Scanners need a margin of four squares (ISO/IEC 18004).
const margin = 4

/** A QR code as a drawing of its dark squares, by row. It is dark on light in every theme: many scanners read nothing else. */
export function qrCode(squares: readonly (readonly boolean[])[], label: string): Html {
  const size = squares.length + 2 * margin
  const path = squares.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + margin} ${y + margin}h1v1h-1z` : ''))).join('')
  return block`
    <svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>
  `
}
