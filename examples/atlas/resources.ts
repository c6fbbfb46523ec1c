import {
  belongsTo,
  belongsToMany,
  countOf,
  date,
  dateTime,
  defineResource,
  file,
  hasMany,
  html,
  id,
  image,
  jsEvent,
  number,
  select,
  switcher,
  tags,
  text,
  textarea,
  trashResource,
  valuesOf,
  view,
} from 'daymark'
import { markdown } from 'daymark/markdown'
import { cities, countries, countryLanguages, languages, stops } from './schema.js'

export const Cities = defineResource({
  model: cities,
  title: 'Cities',
  singular: 'city',
  icon: 'building-office',
  fields: {
    id: id(),
    name: text('Name').required().max(200).sortable().searchable().example('Reykjavík'),
    countryId: belongsTo('Country', countries).sortable().example(1),
    population: number('Population').min(0).sortable().example(118_918),
    isCapital: switcher('Capital')
      .sortable()
      .updateOnPreview()
      .updateRow('index-table-cities')
      // The dashboard's table, which has its own name.
      .event(jsEvent('TABLE_ROW_UPDATED', 'cities-table-{row-id}')),
    latitude: number('Latitude').min(-90).max(90).unit('°'),
    longitude: number('Longitude').min(-180).max(180).unit('°'),
    notes: textarea('Notes').columnSelection(false),
    photo: image('Photo').columnSelection(false),
    documents: file('Documents').multiple().columnSelection(false),
    createdAt: dateTime('Created').readOnly(),
    updatedAt: dateTime('Updated').readOnly(),
  },
  computed: { hemisphere: { label: 'Hemisphere', needs: ['latitude'], value: ({ latitude }) => (latitude < 0 ? 'south' : 'north') } },
  pages: {
    index: ['id', 'name', 'countryId', 'population', 'isCapital'],
    form: ['name', 'countryId', 'population', 'isCapital', 'latitude', 'longitude', 'notes', 'photo', 'documents'],
  },
  // What a journey does here is entered along with the city, too.
  related: [hasMany('stops', { title: 'Stops of the journey', columns: ['name', 'nights'], inForm: ['name', 'nights'] })],
  filters: ['name', 'countryId', 'population', 'isCapital', 'countryId.region', 'countryId.landlocked'],
  queryTags: {
    megacities: { label: 'Megacities', where: { population: { gte: 10_000_000 } } },
    capitals: { label: 'Capitals', where: { isCapital: true } },
  },
  handlers: {
    // A button for the selected rows.
    recount: {
      label: 'Recount',
      async run({ selected, update }) {
        let count = 0
        for await (const some of selected()) {
          for (const city of some) await update(city.id, { population: Math.round(city.population / 100) * 100 })
          count += some.length
        }
        return { message: `${count} recounted, to the next hundred`, events: [jsEvent('TABLE_UPDATED', 'index-table-cities')] }
      },
    },
    // Shows a form in a dialog first.
    grow: {
      label: 'Estimate population',
      selection: 'required',
      fields: {
        growth: number('Growth').required().min(-50).max(50).default(2).hint('Per cent, from −50 to 50'),
        note: textarea('Note').hint('Added to the notes of the city'),
      },
      async run({ selected, update, input }) {
        let count = 0
        for await (const some of selected()) {
          for (const city of some) {
            const population = Math.round(city.population * (1 + input.growth / 100))
            await update(city.id, { population, ...(input.note && { notes: [city.notes, input.note].filter(Boolean).join('\n') }) })
          }
          count += some.length
        }
        return { message: `Estimated: ${count}`, events: [jsEvent('TABLE_UPDATED', 'index-table-cities')] }
      },
    },
    // Runs as a job with progress, since there may be any number of rows.
    survey: {
      label: 'Survey',
      confirm: 'Every selected city is written once more, which takes its time.',
      selection: 'required',
      long: true,
      async run({ ids, update, done }) {
        for (const id of ids) await update(id, { updatedAt: new Date() })
        return `${done + ids.length} surveyed`
      },
    },
  },
  indexButtons: [
    { label: 'Estimate…', handler: 'grow', icon: 'arrow-trending-up', visible: ({ record }) => record.population > 0 },
    { label: 'Recount', handler: 'recount', bulk: true },
    { label: 'Estimate…', handler: 'grow', bulk: true },
    { label: 'Survey', handler: 'survey', bulk: true },
  ],
  buttons: [
    { label: 'Estimate…', handler: 'grow', on: 'detail', group: 'Population' },
    { label: 'Recount', handler: 'recount', on: 'detail', group: 'Population' },
  ],
  massUpdate: ['countryId', 'population', 'isCapital', 'notes'],
  history: true,
  comments: true,
  import: true,
  sortColumn: 'population',
  clickAction: 'DETAIL',
  stickyTable: true,
  columnSelection: true,
})

const geography = {
  section: 'Geography',
  fields: ['region', 'subregion', 'capital', 'area', 'landlocked', 'latitude', 'longitude'],
} as const
const status = { section: 'Status', fields: ['independent', 'unMember', 'languageIds'] } as const

export const Countries = defineResource({
  model: countries,
  title: 'Countries',
  singular: 'country',
  icon: 'globe-alt',
  column: 'name',
  fields: {
    id: id(),
    code: text('Code').required().max(2).sortable().searchable().copyable().hint('ISO 3166-1 alpha-2').example('IS'),
    name: text('Name').required().max(200).sortable().searchable().example('Iceland'),
    officialName: text('Official name').max(300).searchable(),
    region: text('Region').max(100).sortable(),
    subregion: text('Subregion').max(100).sortable(),
    capital: text('Capital').max(200).sortable().searchable(),
    languageIds: belongsToMany('Languages', countryLanguages.languageId).as('languages').example([1]),
    area: number('Area').min(0).sortable().unit('km²'),
    cityCount: countOf('Cities', cities, 'countryId').sortable(),
    landlocked: switcher('Landlocked').sortable(),
    independent: switcher('Independent'),
    unMember: switcher('UN member').sortable(),
    flag: text('Flag').max(16),
    latitude: number('Latitude').min(-90).max(90).unit('°'),
    longitude: number('Longitude').min(-180).max(180).unit('°'),
    notes: markdown('Notes').rows(8),
    updatedAt: dateTime('Updated').readOnly().sortable(),
  },
  pages: {
    index: ['id', 'flag', 'name', 'code', 'region', 'capital', 'area', 'cityCount', 'unMember'],
    detail: ['id', 'name', 'officialName', 'code', 'flag', 'cityCount', geography, status, 'notes', 'updatedAt'],
    form: ['code', 'name', 'officialName', 'flag', geography, status, 'notes'],
  },
  related: [hasMany(Cities, { name: 'cities-table', columns: ['name', 'population', 'isCapital'], perPage: 5 })],
  filters: ['code', 'name', 'region', 'languageIds', 'area', 'cityCount', 'landlocked', 'unMember'],
  queryTags: {
    journey: {
      label: 'On the journey',
      where: { id: { in: valuesOf(cities, 'countryId', { id: { in: valuesOf(stops, 'cityId') } }) } },
    },
  },
  massUpdate: ['region', 'subregion', 'languageIds', 'unMember', 'notes'],
  // Fewer than there are: who changes all of them starts a job.
  maxMassDelete: 100,
  history: true,
  // Files find countries by their code, and those of cities name them by it.
  import: { match: 'code' },
  sortColumn: 'name',
  sortDirection: 'ASC',
  columnSelection: true,
  table: {
    tfoot: (rows, { cells, locale }) => {
      const area = rows.reduce((sum, country) => sum + (country.area ?? 0), 0)
      return html`<tr><td colspan="${cells}">${area.toLocaleString(locale, { maximumFractionDigits: 0 })} km² on this page</td></tr>`
    },
  },
})

export const Languages = defineResource({
  model: languages,
  title: 'Languages',
  singular: 'language',
  icon: 'language',
  column: 'name',
  fields: {
    id: id(),
    code: text('Code').required().max(32).sortable().searchable().hint('ISO 639-3').example('isl'),
    name: text('Name').required().max(200).sortable().searchable().example('Icelandic'),
    rtl: switcher('Right to left').sortable(),
    notes: textarea('Notes'),
  },
  related: [hasMany(Countries, { name: 'countries-table', columns: ['flag', 'name', 'region', 'area'], perPage: 10 })],
  filters: ['code', 'name', 'rtl'],
  sortColumn: 'name',
  sortDirection: 'ASC',
  clickAction: 'EDIT',
  stickyTable: true,
  usePagination: false,
  softDelete: 'deletedAt',
  history: true,
})

/** Deleted languages. The list of languages leads to it. */
export const LanguagesTrash = trashResource(Languages)

/** The stops of a journey. Users put them in order, by dragging their rows; on the board from state to state, in the calendar from day to day. */
export const Stops = defineResource({
  model: stops,
  title: 'Journey',
  singular: 'stop',
  icon: 'map-pin',
  fields: {
    id: id(),
    name: text('Stop').required().max(200).searchable().example('Trams and tiles'),
    cityId: belongsTo('City', cities).resource('cities').example(1),
    state: select('State')
      .options({ planned: 'Planned', booked: 'Booked', visited: 'Visited' })
      .tones({ planned: 'warn', booked: 'info', visited: 'good' })
      .default('planned')
      .updateOnPreview()
      .example('planned'),
    arrival: date('Arrival').sortable().example('2027-05-11'),
    nights: number('Nights').min(1).max(60).default(2).updateOnPreview().example(2),
    themes: tags('Themes')
      .suggestions(['art', 'food', 'gardens', 'history', 'mountains', 'swimming', 'town', 'views', 'walks', 'water'])
      .example(['art', 'town']),
    notes: textarea('Notes'),
    position: number('Position').readOnly(),
  },
  pages: {
    index: ['name', 'cityId', 'state', 'arrival', 'themes', 'nights'],
    detail: ['name', 'cityId', 'state', 'arrival', 'nights', 'themes', 'notes'],
  },
  filters: ['cityId', 'state', 'arrival', 'themes', 'nights', 'cityId.countryId'],
  views: [view.board('state', { card: ['cityId', 'arrival', 'nights'] }), view.calendar('arrival', { tone: 'state', card: ['cityId'] })],
  summary: { nights: 'sum' },
  reorderable: 'position',
  clickAction: 'EDIT',
})
