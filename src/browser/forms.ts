// What the form of a page does besides. Pages with one load it, beside the page's script.
import { countCharacters } from './form/count-characters.js'
import { drafts } from './form/drafts.js'
import { formPlace } from './form/form-place.js'

const form = document.querySelector<HTMLFormElement>('main form.form-page')
if (form) {
  formPlace(form)
  drafts(form)
}
for (const one of document.querySelectorAll<HTMLFormElement>('main form')) countCharacters(one)
