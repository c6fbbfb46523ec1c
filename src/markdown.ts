export { markdown } from './field/kinds/markdown.js'
