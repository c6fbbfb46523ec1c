import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aroundGap, firstAt, instantsOf, localText, offsetText } from './zone.js'

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
  it('finds the first instant of a day that has no midnight, two of them, or nothing at all', () => {
    const first = (day: string, zone: string) => new Date(firstAt(utc(`${day}T00:00`), zone)).toISOString()
    expect(first('2026-03-08', 'America/Havana')).toBe('2026-03-08T05:00:00.000Z')
    expect(first('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z')
    expect(first('1919-03-31', 'America/Toronto')).toBe('1919-03-31T04:30:00.000Z')
    expect(first('2011-12-30', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z')
    expect(first('2026-11-21', berlin)).toBe('2026-11-20T23:00:00.000Z')
  })
  it('shows no more digits than there are', () => {
    expect(localText(utc('2026-11-21T17:30:05.120'), 'UTC')).toBe('2026-11-21T17:30:05.12')
    expect(localText(utc('2026-11-21T17:30:05'), 'UTC')).toBe('2026-11-21T17:30:05')
    expect(localText(utc('2026-11-21T17:30'), 'UTC')).toBe('2026-11-21T17:30')
  })
  it('shows days before October 1582 as it shows those after', () => {
    for (const day of ['0001-06-01', '1000-06-01', '1500-02-28', '1582-10-10', '1582-10-20', '1892-06-01'])
      expect(localText(utc(`${day}T12:00`), berlin)).toBe(`${day}T12:53:28`)
    expect(localText(utc('0000-06-01T12:00'), berlin)).toBe('0000-06-01T12:53:28')
    expect(instantsOf(utc('1500-06-01T12:53:28'), berlin)).toEqual([utc('1500-06-01T12:00')])
  })
  it('shows in UTC what no offset says: one of seconds, or a year of more digits', () => {
    expect(offsetText(utc('1883-11-18T16:58:00'), 'America/New_York')).toBe('1883-11-18T16:58Z')
    expect(offsetText(utc('9999-12-31T23:59:59.999'), berlin)).toBe('9999-12-31T23:59:59.999Z')
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
      fc.property(zones, fc.date({ min: new Date('0001-01-02'), max: new Date('2100-01-01'), noInvalidDate: true }), (zone, at) => {
        expect(instantsOf(Date.parse(`${localText(at.getTime(), zone)}Z`), zone)).toContain(at.getTime())
      }),
      { numRuns: 500 },
    )
  })
})
