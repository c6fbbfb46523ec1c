import { alert, chart, definePage, figure, fragment, grid, groups, metric, pageFilter, progress, tableBuilder, tabs } from 'daymark'
import { Cities, Countries, Languages } from './resources.js'

// Users choose it on the page: its cities are then those that are counted and listed.
const country = pageFilter.of(Cities, 'countryId')

/** The demo's first page: the data at a glance. */
export const Dashboard = definePage({
  uri: 'dashboard',
  title: 'The world at a glance',
  icon: 'home',
  filters: { country },
  components: [
    grid(4, [
      metric({ name: 'countries', label: 'Countries', value: figure.count(Countries), link: Countries }),
      metric({ name: 'cities', label: 'Cities', value: figure.count(Cities, { countryId: country }), link: Cities }),
      metric({ name: 'people', label: 'People in cities', value: figure.sum(Cities, 'population', { countryId: country }) }),
      metric({ name: 'largest-city', label: 'Largest city', value: figure.largest(Cities, 'population', { countryId: country }) }),
    ]),
    grid(2, [
      chart({
        name: 'people-by-country',
        label: 'People in cities by country',
        data: groups.sum(Cities, 'population', { by: 'countryId', limit: 8, others: false }),
      }),
      chart({
        name: 'by-region',
        label: 'Countries by region',
        type: 'doughnut',
        data: groups.count(Countries, { by: 'region', limit: 6 }),
      }),
    ]),
    tableBuilder(Cities, {
      name: 'cities-table',
      title: 'Megacities',
      columns: ['name', 'countryId', 'population', 'isCapital'],
      where: { population: { gte: 10_000_000 }, countryId: country },
      sort: '-population',
      perPage: 10,
      async: true,
    }),
    grid(2, [
      progress({
        name: 'members',
        label: 'Members of the United Nations',
        value: figure.count(Countries, { unMember: true }),
        max: figure.count(Countries),
      }),
      progress({
        name: 'capitals',
        label: 'Capitals among the megacities',
        value: figure.count(Cities, { isCapital: true, population: { gte: 10_000_000 } }),
        max: figure.count(Cities, { population: { gte: 10_000_000 } }),
      }),
    ]),
    tabs({
      name: 'countries-by',
      label: 'Countries',
      tabs: [
        {
          uri: 'largest',
          label: 'Largest',
          components: [tableBuilder(Countries, { name: 'largest-countries', columns: ['flag', 'name', 'area'], sort: '-area', limit: 5 })],
        },
        {
          uri: 'landlocked',
          label: 'Landlocked',
          components: [
            tableBuilder(Countries, {
              name: 'landlocked-countries',
              columns: ['flag', 'name', 'area'],
              where: { landlocked: true },
              sort: '-area',
              limit: 5,
            }),
          ],
        },
      ],
    }),
    fragment(
      'writing',
      [
        metric({
          name: 'right-to-left',
          label: 'Languages written from right to left',
          value: figure.count(Languages, { rtl: true }),
          link: Languages,
        }),
        alert('info', 'Where this comes from', {
          text: 'Countries and languages from world-countries (ODbL), cities from GeoNames (CC BY).',
        }),
      ],
      { deferred: true, label: 'Languages' },
    ),
  ],
})
