/** What a store says of a value or a record, before anybody knows what its field is called, and in which language. */
export const storeTexts = {
  required: 'Is required',
  notText: 'Must be text',
  notInteger: 'Must be a whole number',
  notNumber: 'Must be a number',
  notBoolean: 'Must be true or false',
  notJson: 'Must be JSON',
  tooFine: 'Has more digits than the column can hold',
  refusedValue: 'The database refuses this value',
  refused: 'The database refuses these values',
  tooMuch: 'Too many or too long values for the database',
  conflicting: 'Conflicts with another record',
  referring: 'A record that this one refers to is missing, or others still refer to this one',
  denied: 'The database does not let this be written',
  unwritable: 'Nothing can be written here',
} as const
