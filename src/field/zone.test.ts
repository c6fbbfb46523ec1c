import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aroundGap, instantsOf, localText, offsetText } from './zone.js'

const berlin = 'Europe/Berlin'
const utc = (text: string) => Date.parse(`${text}Z`)

describe('zones', () => {
  it('finds one instant on an ordinary day', () => {
    expect(instantsOf(utc('2026-11-21T17:30'), berlin)).toEqual([utc('2026-11-21T16:30')])
  })
  it('finds none in the hour that the clocks skip, and names its neighbours', () => {
    const local = utc('2026-03-29T02:30')
    expect(instantsOf(local, berlin)).toEqual([])
    expect(aroundGap(local, berlin).map((one) => localText(one, berlin))).toEqual(['2026-03-29T01:30', '2026-03-29T03:30'])
  })
  it('finds two in the hour that the clocks repeat', () => {
    const found = instantsOf(utc('2026-10-25T02:30'), berlin)
    expect(found.map((one) => offsetText(one, berlin))).toEqual(['2026-10-25T02:30+02:00', '2026-10-25T02:30+01:00'])
  })
  it('shows no more digits than there are', () => {
    expect(localText(utc('2026-11-21T17:30:05.120'), 'UTC')).toBe('2026-11-21T17:30:05.12')
    expect(localText(utc('2026-11-21T17:30:05'), 'UTC')).toBe('2026-11-21T17:30:05')
    expect(localText(utc('2026-11-21T17:30'), 'UTC')).toBe('2026-11-21T17:30')
  })
  it('comes back to the instant that it showed, in any zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      berlin,
      'America/St_Johns',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'America/New_York',
      'Africa/Monrovia',
    )
    fc.assert(
      fc.property(zones, fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (zone, at) => {
        expect(instantsOf(Date.parse(`${localText(at.getTime(), zone)}Z`), zone)).toContain(at.getTime())
      }),
      { numRuns: 500 },
    )
  })
})
