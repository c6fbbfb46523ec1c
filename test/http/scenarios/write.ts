import type { Ask, Scenario } from '../scenario.js'

const city = { name: 'Lyon', countryId: 2 }
const create = (body: Omit<Ask, 'path' | 'method'>): Ask => ({ method: 'POST', path: 'cities/crud', ...body })
const update = (body: Omit<Ask, 'path' | 'method'>, key = 1): Ask => ({ method: 'PUT', path: `cities/crud/${key}`, ...body })
const berlin: Scenario['next'] = [
  {
    path: 'cities/crud/1',
    answers: { data: { name: 'Berlin', countryId: 1, population: 3_426_354, area: 891.7, isCapital: true, notes: null } },
  },
]

const refused = (name: string, json: unknown, fields: readonly string[], says: readonly (string | RegExp)[] = []): readonly Scenario[] => [
  { name: `create: ${name}`, request: create({ json: { ...city, ...(json as object) } }), status: 422, fields, says },
  { name: `update: ${name}`, request: update({ json }), status: 422, fields, says, next: berlin },
]

export const write: readonly Scenario[] = [
  {
    name: 'an empty text for a field that may be null is not said to be missing',
    request: { method: 'PATCH', path: 'cities/crud/1', json: { area: '' } },
    status: 422,
    body: { errors: { area: ['Area must be a number'] } },
  },
  {
    name: 'create',
    request: create({ json: { ...city, population: 522_250 } }),
    status: 201,
    headers: { location: '/admin/resource/cities/crud/6', etag: /^"[0-9a-f]{32}"$/, 'content-type': 'application/json' },
    exactly: {
      data: { id: 6, name: 'Lyon', countryId: 2, population: 522_250, area: null, isCapital: false, notes: null, size: 'small' },
      message: 'Lyon created',
    },
    rows: { cities: 1 },
    next: [{ path: 'cities/crud/6', answers: { data: { name: 'Lyon' } } }],
  },
  {
    name: 'create by +json',
    request: create({ body: JSON.stringify(city), headers: { 'content-type': 'application/vnd.api+json' } }),
    status: 201,
    rows: { cities: 1 },
  },
  {
    name: 'create by a form',
    request: create({
      form: [
        ['name', 'Lyon'],
        ['countryId', '2'],
        ['isCapital', '0'],
        ['isCapital', '1'],
      ],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    status: 201,
    body: { data: { name: 'Lyon', countryId: 2, isCapital: true } },
    rows: { cities: 1 },
  },
  {
    name: 'create by parts',
    request: create({
      parts: [
        ['name', 'Lyon'],
        ['countryId', '2'],
        ['notes', 'a\nb'],
        ['_token', 'x'],
      ],
    }),
    status: 201,
    body: { data: { name: 'Lyon', notes: 'a\nb' } },
    rows: { cities: 1 },
  },
  {
    name: 'create by a form from a page goes on to the record',
    request: create({
      form: [
        ['name', 'Lyon'],
        ['countryId', '2'],
      ],
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    }),
    status: 303,
    headers: { location: /^\/admin\/resource\/cities\// },
    rows: { cities: 1 },
  },
  {
    name: 'create by a form from a page that is refused is the form again',
    request: create({
      form: [
        ['name', ''],
        ['countryId', '2'],
        ['notes', 'typed & kept'],
      ],
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    }),
    status: 422,
    headers: { 'content-type': /^text\/html/ },
    says: ['typed &amp; kept'],
  },
  {
    name: 'create with a key of its own',
    request: { method: 'POST', path: 'words/crud', json: { word: 'new/one' } },
    status: 201,
    headers: { location: '/admin/resource/words/crud/new%2Fone' },
    rows: { words: 1 },
  },
  { name: 'create without a body', request: create({}), status: 422, fields: ['name', 'countryId'] },
  {
    name: 'create with an empty body of some type',
    request: create({ body: '', headers: { 'content-type': 'text/plain' } }),
    status: 422,
    fields: ['name', 'countryId'],
  },
  { name: 'create with an empty object', request: create({ json: {} }), status: 422, fields: ['name', 'countryId'] },
  {
    name: 'create what is already there',
    request: { method: 'POST', path: 'countries/crud', json: { code: 'DE', name: 'Again' } },
    status: 409,
    fields: ['code'],
  },
  {
    name: 'create with a key that is taken',
    request: { method: 'POST', path: 'words/crud', json: { word: 'crud' } },
    status: 409,
    fields: ['word'],
  },
  {
    name: 'create what a hook refuses',
    request: create({ json: { ...city, name: 'Atlantis' } }),
    status: 422,
    fields: ['name'],
    says: ['This city is a legend'],
  },
  {
    name: 'create where creating is off',
    request: { method: 'POST', path: 'archives/crud', json: { name: 'x' } },
    status: 403,
    says: ['disabled'],
  },
  {
    name: 'a mistake in a hook is ours: nothing of it is told',
    request: create({ json: { ...city, name: 'Bielefeld' } }),
    status: 500,
    not: ['SELECT', 'secret', 'Bielefeld'],
    logged: 1,
  },
  {
    name: 'and nothing of it on a page either',
    request: create({ json: { ...city, name: 'Bielefeld' }, headers: { accept: 'text/html' } }),
    status: 500,
    headers: { 'content-type': /^text\/html/ },
    not: ['SELECT', 'secret/path'],
    logged: 1,
  },

  {
    name: 'update',
    request: update({ json: { name: 'Berlin!', area: null } }),
    status: 200,
    headers: { etag: /^"/, location: null },
    body: { data: { id: 1, name: 'Berlin!', area: null, population: 3_426_354 }, message: 'Saved' },
    next: [{ path: 'cities/crud/1', answers: { data: { name: 'Berlin!', area: null } } }],
  },
  {
    name: 'PATCH is the same',
    request: { ...update({ json: { population: 1 } }), method: 'PATCH' },
    status: 200,
    body: { data: { name: 'Berlin', population: 1 } },
  },
  {
    name: 'update by a form',
    request: update({
      form: [
        ['population', '7'],
        ['_method', 'DELETE'],
      ],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    status: 200,
    body: { data: { population: 7 } },
  },
  { name: 'update with nothing changes nothing', request: update({}), status: 200, body: { data: { name: 'Berlin' } }, next: berlin },
  {
    name: 'a client may send back what it read',
    before: [{ path: 'cities/crud/1?include=country' }],
    request: ([read]) => update({ json: { ...read?.json.data, name: 'Berlin.' } }),
    status: 200,
    body: { data: { name: 'Berlin.', size: 'large' } },
  },
  { name: 'update what is not there', request: update({ json: { name: 'x' } }, 99), status: 404 },
  { name: 'update what a policy keeps', request: update({ json: { name: 'x' } }, 5), status: 403 },
  {
    name: 'update where nobody may, before anything is looked up',
    request: { method: 'PUT', path: 'archives/crud/99', json: { name: 'x' } },
    status: 403,
  },
  {
    name: 'a form that spells PUT',
    request: {
      method: 'POST',
      path: 'cities/crud/1',
      form: [
        ['_method', 'PUT'],
        ['name', 'By form'],
      ],
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 303,
    next: [{ path: 'cities/crud/1', answers: { data: { name: 'By form' } } }],
  },
  {
    name: 'a form that spells it in lower case',
    request: {
      method: 'POST',
      path: 'cities/crud/1',
      form: [
        ['_method', 'put'],
        ['name', 'By form'],
      ],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 200,
    body: { data: { name: 'By form' } },
  },
  {
    name: 'a form that spells nothing',
    request: {
      method: 'POST',
      path: 'cities/crud/1',
      form: [['name', 'By form']],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 405,
    next: berlin,
  },
  {
    name: 'a form that spells what one may not do hears that, before anything is looked up',
    request: {
      method: 'POST',
      path: 'coins/crud/%ff',
      form: [['_method', 'DELETE']],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 403,
  },
  {
    name: 'a form that spells what one may do, to what is not there',
    request: {
      method: 'POST',
      path: 'coins/crud/%ff',
      form: [['_method', 'PUT']],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 404,
  },
  {
    name: 'a form that spells what is no method',
    request: {
      method: 'POST',
      path: 'cities/crud/1',
      form: [['_method', 'BREW']],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 405,
  },
  {
    name: 'a form that spells GET',
    request: {
      method: 'POST',
      path: 'cities/crud/1',
      form: [['_method', 'GET']],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 405,
  },
  {
    name: 'a method spelled in JSON',
    request: { method: 'POST', path: 'cities/crud/1', json: { _method: 'PUT', name: 'x' } },
    status: 405,
    headers: { allow: /POST/ },
    says: ['a form that says in _method what to do: PUT, PATCH, DELETE'],
    not: ['POST is not possible'],
    next: berlin,
  },
  {
    name: 'a method spelled in the query',
    request: {
      method: 'POST',
      path: 'cities/crud/1?_method=PUT',
      form: [['name', 'x']],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 405,
    next: berlin,
  },
  {
    name: 'a create that names a parameter',
    request: { method: 'POST', path: 'cities/crud?name=x', json: city },
    status: 422,
    fields: ['name'],
  },
  {
    name: 'a method spelled in a header',
    request: { method: 'POST', path: 'cities/crud', json: city, headers: { 'x-http-method-override': 'DELETE' } },
    status: 201,
    rows: { cities: 1 },
  },

  ...refused('an unknown field', { colour: 'red' }, ['colour'], ['countryId']),
  ...refused('a hidden field answers as if it were not there', { secret: 'x' }, ['secret'], ['Unknown field']),
  ...refused('a column that is not a field', { country_id: 1 }, ['country_id']),
  ...refused('a field of the prototype', JSON.parse('{"__proto__":{"isAdmin":true}}'), ['__proto__']),
  ...refused('constructor', { constructor: 1 }, ['constructor']),
  ...refused('a computed value', { size: 'huge' }, ['size']),
  ...refused('the key of another record', { id: 4 }, ['id']),
  ...refused('text for a number', { population: 'many' }, ['population']),
  ...refused('a number as text', { population: '7' }, ['population']),
  ...refused('a fraction for a whole number', { population: 1.5 }, ['population']),
  ...refused('a number below the least', { population: -1 }, ['population']),
  ...refused('a number for text', { name: 7 }, ['name']),
  ...refused('a list for text', { name: ['x'] }, ['name']),
  ...refused('an object for text', { name: { $ne: '' } }, ['name']),
  ...refused('text that is too long', { name: 'x'.repeat(61) }, ['name']),
  ...refused('an empty name', { name: '' }, ['name']),
  ...refused('null where there must be something', { name: null }, ['name']),
  ...refused('text for a boolean', { isCapital: 'yes' }, ['isCapital']),
  ...refused('one for a boolean', { isCapital: 1 }, ['isCapital']),
  ...refused('a relation that leads nowhere', { countryId: 99 }, ['countryId']),
  ...refused('a relation by its name', { countryId: 'DE' }, ['countryId']),
  ...refused('several faults at once', { population: -1, name: '', area: 'x' }, ['population', 'name', 'area']),
  ...refused('NUL', { notes: 'a\0b' }, ['notes'], ['NUL']),
  ...refused('a lone surrogate', { notes: 'a\ud800' }, ['notes'], ['surrogate']),
]
