// The page's script: each feature in its own file, started here. All are progressive enhancements: the pages work without.
import { actions } from './action/actions.js'
import { choices } from './action/choices.js'
import { confirmations } from './action/confirm.js'
import { jobs } from './action/job.js'
import { createRelated } from './form/create-related.js'
import { recordForm } from './form/form.js'
import { passwords } from './form/password.js'
import { relations } from './form/relation.js'
import { sending } from './form/sending.js'
import { severalRelations } from './form/several-relations.js'
import { fieldsShownWhen } from './form/show-when.js'
import { validation } from './form/validate.js'
import { calmColumns } from './list/column-widths.js'
import { crumbs } from './list/crumbs.js'
import { filterCount } from './list/filter-count.js'
import { lightRows } from './list/light-rows.js'
import { asyncLists } from './list/list.js'
import { listPlaces } from './list/list-place.js'
import { liveCells } from './list/live.js'
import { rowKeys } from './list/row-keys.js'
import { rowUpdates } from './list/row-update.js'
import { selection } from './list/selection.js'
import { sortMore } from './list/sort-more.js'
import { copying } from './page/copy.js'
import { namedTargets } from './page/events.js'
import { fragments } from './page/fragments.js'
import { halfTyped } from './page/half-typed.js'
import { menuKeys } from './page/menu-keys.js'
import { pageDialogs } from './page/page-dialogs.js'
import { palette } from './page/palette.js'
import { panels } from './page/panels.js'
import { scripts } from './page/scripts.js'
import { sidebarSwitch } from './page/sidebar.js'
import { steps } from './page/steps.js'
import { themeSwitch } from './page/theme.js'
import { toasts } from './page/toast.js'

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
