import type { Realm } from '../crud/call/call.js'
import { densities } from '../crud/call/preferences.js'
import { themes } from '../crud/call/theme.js'
import { longestComment } from '../crud/comments/comments.js'
import { columnParameter } from '../crud/import/columns.js'
import { mostRows } from '../crud/import/row.js'
import type { FileFormat } from '../crud/realm/file-format.js'
import type { Schema } from '../field/wire-schema.js'
import { type SchemaName, visibleIn } from '../json/records.js'
import { closed } from '../json/schema.js'
import type { Resource } from '../resource/resource.js'
import { actionsSchema, filtering, listNamed, totalSchema } from './action-schema.js'
import type { Operation } from './operations.js'

type Ref = (name: SchemaName) => Schema

/** The request body of an operation; null: none. */
export function requestOf({ named, method, route, resource, actions }: Operation, ref: Ref, { auth, formats }: Realm): object | null {
  const passwordless = auth.services.openIds.length > 0
  if (route.body === undefined || method === 'GET') return null
  if (route.body === 'file')
    return { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
  if (resource && named === 'exportSelected') return body(exportedSchema(resource), true)
  if (resource && route.body === 'ids') return body(idsSchema(resource), false)
  if (resource && named === 'create') return body(ref('Create'), true)
  if (resource && named === 'update') return body(ref('Update'), true)
  if (actions.length > 0) return body(actionsSchema(actions, resource), false)
  if (named === 'validate') return body({ type: 'object', additionalProperties: true, description: 'The values of the form.' }, false)
  if (resource && named === 'importRecords') return importBody([...formats.values()], resource)
  if (resource && named === 'updateField') return body(oneField(resource), true)
  if (named === 'move') return body(placeSchema, true)
  const own = inputs[named]
  if (own) return body(passwordless ? lacking(own, 'currentPassword') : own, true)
  return named === 'signOut' ? null : body({ type: 'object', additionalProperties: true }, false)
}

/** The schema for callers some of whom have no value for a property. */
function lacking(schema: Schema, name: string): Schema {
  const { required } = schema as { readonly required?: readonly string[] }
  return required?.includes(name) ? { ...schema, required: required.filter((one) => one !== name) } : schema
}

const idsOf = (description: string): Schema => ({
  type: 'array',
  minItems: 1,
  items: { type: ['string', 'integer'] },
  description,
  'x-more-rules': true,
})

const idsSchema = (resource: Resource): Schema => ({
  anyOf: [
    closed({
      ids: idsOf('The keys of the records.'),
    }),
    {
      ...closed(
        { _all: { const: true, description: 'All records that match the filters.' }, _total: totalSchema, ...listNamed(resource) },
        ['_list'],
      ),
      ...filtering,
    },
  ],
})

/** The rows of a list to be exported. */
const exportedSchema = (resource: Resource): Schema => ({
  anyOf: [
    { ...closed({ ids: idsOf('The keys of the records; 404 names those that are not in the list.') }), ...filtering },
    {
      ...closed(
        {
          _all: { const: true, description: 'All records that match the filters.' },
          _total: { ...totalSchema, description: 'Is not compared.' },
          ...listNamed(resource),
        },
        ['_list', '_total'],
      ),
      ...filtering,
    },
  ],
})

const text: Schema = { type: 'string' }
const password: Schema = { type: 'string', format: 'password' }

const passkeyName: Schema = { ...text, minLength: 1, maxLength: 100, description: 'What the user calls it.', 'x-more-rules': true }
const credential = (by: string): Schema => ({
  type: 'object',
  additionalProperties: true,
  description: `What \`${by}\` has made of the \`options\`, as \`PublicKeyCredential.toJSON()\` writes it.`,
  'x-more-rules': true,
})

const commentText = closed({
  text: { ...text, minLength: 1, maxLength: longestComment, description: 'Plain text, without the space around it.', 'x-more-rules': true },
})

/** The bodies of the panel's own verbs. */
const inputs: { readonly [verb: string]: Schema } = {
  writeComment: commentText,
  editComment: commentText,
  signIn: closed({ username: { ...text, minLength: 1 }, password: { ...password, minLength: 1 }, remember: { type: 'boolean' } }, [
    'remember',
  ]),
  signInCode: closed(
    {
      ticket: { ...text, minLength: 1, description: 'What `authenticate` answered with.' },
      code: { ...text, description: 'The six digits of the authenticator app.' },
      recoveryCode: { ...text, description: 'Instead of `code`.' },
    },
    ['code', 'recoveryCode'],
  ),
  turnOnTwoFactor: closed(
    {
      secret: { ...text, pattern: '^[A-Z2-7]{32,128}$', description: 'That of `setUp`.' },
      code: { ...text, minLength: 1, description: 'What the authenticator app makes of the secret.' },
      currentPassword: {
        ...password,
        description: 'Not needed within ten minutes of the sign-in of a caller who has to set it up before anything else.',
      },
    },
    ['currentPassword'],
  ),
  turnOffTwoFactor: closed({ currentPassword: password }),
  beginPasskeySignIn: closed({}),
  signInPasskey: closed({ credential: credential('navigator.credentials.get()'), remember: { type: 'boolean' } }, ['remember']),
  beginPasskey: closed({ name: passkeyName, currentPassword: password }),
  addPasskey: closed({ name: passkeyName, credential: credential('navigator.credentials.create()') }),
  renamePasskey: closed({ name: passkeyName }),
  createApiKey: closed(
    {
      name: { ...text, minLength: 1, maxLength: 100, description: 'What it is for.', 'x-more-rules': true },
      days: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 3650,
        description: 'How long it is valid; null: for ever, where the panel allows it. Default: 90, or the most that there may be.',
        'x-more-rules': true,
      },
      readOnly: { type: 'boolean', description: 'Whether it may only read. Default: false.' },
      roles: {
        type: ['array', 'null'],
        minItems: 1,
        items: text,
        description: "The roles that it may use, of the caller's; null, the default: all of them.",
        'x-more-rules': true,
      },
      currentPassword: password,
    },
    ['days', 'readOnly', 'roles'],
  ),
  markNotifications: closed({ read: { type: 'boolean', description: 'Whether as read, or as unread.' } }),
  newRecoveryCodes: closed({ currentPassword: password }),
  refresh: closed({ refreshToken: { ...text, minLength: 1 } }),
  updateProfile: closed(
    {
      name: text,
      timeZone: { type: ['string', 'null'], description: 'An IANA name; null or empty: that of the panel.', 'x-more-rules': true },
      currentPassword: password,
      newPassword: password,
    },
    ['name', 'timeZone', 'currentPassword', 'newPassword'],
  ),
  forgot: closed({ username: { ...text, minLength: 1 } }),
  resetPassword: closed({ password }),
  setPreferences: {
    type: 'object',
    description: 'What is sent is changed; null resets it.',
    properties: {
      theme: { type: ['string', 'null'], enum: [...themes, null] },
      density: { type: ['string', 'null'], enum: [...densities, null], description: 'The row height of tables.' },
      language: { type: ['string', 'null'], description: 'One of those that the panel has, if it has several.', 'x-more-rules': true },
      columns: {
        type: 'object',
        additionalProperties: { type: ['array', 'null'], items: text },
        description: 'The columns of lists in their order, by the resource.',
        'x-more-rules': true,
      },
      views: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
        description: 'Saved lists: the query of each by its name, by the resource.',
        'x-more-rules': true,
      },
      sharedViews: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
        description: 'The same, for everybody. Only who may by `shareViews` changes them: 403.',
        'x-more-rules': true,
      },
    },
    additionalProperties: false,
  },
}

/** A list of records, or a file of them. */
function importBody(formats: readonly FileFormat[], { importMatch }: Resource): object {
  const found = importMatch.length === 0 ? '' : `; a row without its key finds its record by ${importMatch.join(' and ')}`
  const asked: Readonly<Record<string, Schema>> = {
    mode: {
      ...text,
      enum: ['create', 'update', 'both'],
      description: 'What rows do. Default: the first that the caller may.',
      'x-more-rules': true,
    },
    check: { type: 'boolean', description: 'Whether to write nothing, and only say what would be.' },
  }
  const records: Schema = {
    type: 'array',
    minItems: 1,
    maxItems: mostRows,
    items: { type: 'object', additionalProperties: true },
    description: `Each as a body of a create, or of an update together with the key${found}. A related record is its key, or an object of the values that \`by\` of its field names.`,
    'x-more-rules': true,
  }
  const column: Schema = {
    ...text,
    description: 'What the column of this number is called, whatever the file says; empty: it is left out.',
  }
  const file: Schema = {
    ...text,
    format: 'binary',
    description: `A file, whose first line names the fields: ${['CSV', ...formats.map(({ name }) => name.toUpperCase())].join(' or ')}.`,
  }
  return {
    required: true,
    content: {
      'application/json': { schema: closed({ records, ...asked }, ['mode', 'check']) },
      'multipart/form-data': {
        schema: { ...closed({ file, ...asked }, ['mode', 'check']), patternProperties: { [columnParameter.source]: column } },
      },
      'text/csv': { schema: { ...text, description: 'The CSV file alone.' } },
      ...Object.fromEntries(formats.map(({ type }) => [type, { schema: { ...text, format: 'binary', description: 'The file alone.' } }])),
    },
  }
}

/** One field and its new value. The field's own rules apply. */
function oneField(resource: Resource): Schema {
  return closed({
    field: { ...text, enum: visibleIn(resource).map(({ key }) => key), 'x-more-rules': true },
    value: { description: 'The new value.', 'x-more-rules': true },
    was: { description: 'The value that was shown: if another one is stored now, the response is 412.' },
  })
}

const beside = (side: string): Schema => ({
  type: ['string', 'integer'],
  description: `The key of a record that it comes right ${side}, in ascending order.`,
  'x-more-rules': true,
})

/** Where a record is to be. */
const placeSchema: Schema = {
  anyOf: [
    closed({ before: beside('before') }),
    closed({ after: beside('after') }),
    closed({ to: { ...text, enum: ['first', 'last'], description: 'The end that it comes to.' } }),
  ],
}

/** Form bodies send text, which the field kinds convert to the JSON values. */
const form: Schema = { type: 'object', additionalProperties: true, description: 'The same fields as form texts.' }

function body(schema: Schema, required: boolean): object {
  return {
    required,
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema: form },
      'multipart/form-data': { schema: form },
    },
  }
}
