/** What a store says of a value, before anybody knows what its field is called. */
export const storeTexts = {
  required: 'Is required',
  tooFine: 'Has more digits than the column can hold',
} as const
