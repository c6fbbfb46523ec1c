// The page's script: each feature in its own file, started here. All are progressive enhancements: the pages work without.
import { actions } from './actions.js'
import { choices } from './choices.js'
import { calmColumns } from './column-widths.js'
import { confirmations } from './confirm.js'
import { copying } from './copy.js'
import { createRelated } from './create-related.js'
import { crumbs } from './crumbs.js'
import { namedTargets } from './events.js'
import { filterCount } from './filter-count.js'
import { recordForm } from './form.js'
import { fragments } from './fragments.js'
import { halfTyped } from './half-typed.js'
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
import { scripts } from './scripts.js'
import { selection } from './selection.js'
import { sending } from './sending.js'
import { severalRelations } from './several-relations.js'
import { fieldsShownWhen } from './show-when.js'
import { sidebarSwitch } from './sidebar.js'
import { sortMore } from './sort-more.js'
import { steps } from './steps.js'
import { themeSwitch } from './theme.js'
import { toasts } from './toast.js'
import { validation } from './validate.js'

const features = [
  halfTyped,
  themeSwitch,
  sidebarSwitch,
  panels,
  toasts,
  namedTargets,
  // Before the features that follow links.
  sortMore,
  asyncLists,
  // After the list, which may normalize the address.
  listPlaces,
  crumbs,
  calmColumns,
  choices,
  filterCount,
  rowUpdates,
  lightRows,
  // Before the keys that move between rows.
  menuKeys,
  rowKeys,
  scripts,
  selection,
  liveCells,
  // Before confirmations: an action may be a delete.
  actions,
  jobs,
  confirmations,
  // After the features that send forms themselves, before the one that notes a form as sent.
  sending,
  copying,
  relations,
  severalRelations,
  createRelated,
  steps,
  // Before the features that look at what a form would send.
  fieldsShownWhen,
  recordForm,
  validation,
  passwords,
  palette,
  pageDialogs,
  fragments,
]
for (const start of features) {
  // A feature that fails must not stop the others.
  try {
    start()
  } catch (thrown) {
    reportError(thrown)
  }
}
