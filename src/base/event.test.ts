import { describe, expect, it } from 'vitest'
import { jsEvent, withRowId } from './event.js'

describe('client events', () => {
  it('spells the row-update event as the mission does', () => {
    expect(withRowId(jsEvent('TABLE_ROW_UPDATED', 'index-table-cities-{row-id}'), '7')).toBe('table-row-updated-index-table-cities-7')
  })
  it('keeps any key as it is, replacement patterns included', () => {
    expect(withRowId('e-{row-id}', 'a b\'$&/"')).toBe('e-a b\'$&/"')
  })
  it('refuses a kind that does not exist', () => {
    expect(() => jsEvent('TABLE_EXPLODED' as never, 'x')).toThrow('TABLE_ROW_UPDATED')
  })
})
