// What runs in a page: one feature a file, started here. All of it is a nicety: the pages work without.
import { actions } from './actions.js'
import { choices } from './choices.js'
import { calmColumns } from './column-widths.js'
import { confirmations } from './confirm.js'
import { copying } from './copy.js'
import { namedTargets } from './events.js'
import { filterCount } from './filter-count.js'
import { recordForm } from './form.js'
import { fragments } from './fragments.js'
import { jobs } from './job.js'
import { lightRows } from './light-rows.js'
import { asyncLists } from './list.js'
import { listPlaces } from './list-place.js'
import { liveCells } from './live.js'
import { menuKeys } from './menu-keys.js'
import { pageDialogs } from './page-dialogs.js'
import { palette } from './palette.js'
import { panels } from './panels.js'
import { passwords } from './password.js'
import { relations } from './relation.js'
import { rowKeys } from './row-keys.js'
import { rowUpdates } from './row-update.js'
import { selection } from './selection.js'
import { sending } from './sending.js'
import { fieldsShownWhen } from './show-when.js'
import { sidebarSwitch } from './sidebar.js'
import { sortMore } from './sort-more.js'
import { steps } from './steps.js'
import { themeSwitch } from './theme.js'
import { toasts } from './toast.js'
import { validation } from './validate.js'

const features = [
  themeSwitch,
  sidebarSwitch,
  panels,
  toasts,
  namedTargets,
  // Before what follows links.
  sortMore,
  asyncLists,
  // After what may put the address as it was read.
  listPlaces,
  calmColumns,
  choices,
  filterCount,
  rowUpdates,
  lightRows,
  // Before what moves from row to row.
  menuKeys,
  rowKeys,
  selection,
  liveCells,
  // Before what asks for deletes: an action may be one.
  actions,
  jobs,
  confirmations,
  // After what sends forms by itself, before what counts a form as sent.
  sending,
  copying,
  relations,
  steps,
  // Before what looks at what would be sent.
  fieldsShownWhen,
  recordForm,
  validation,
  passwords,
  palette,
  pageDialogs,
  fragments,
]
for (const start of features) {
  // One that fails leaves the others, and the page without it, as they are.
  try {
    start()
  } catch (thrown) {
    reportError(thrown)
  }
}
