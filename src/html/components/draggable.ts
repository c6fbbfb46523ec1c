import { block, type Html, html } from '../../base/html.js'

/** A record that is dragged to change a field of it, in the way of a cell that saves. */
export interface Draggable {
  /** Where its change is sent. */
  readonly action: string
  /** The text of the value that it has. */
  readonly was: string
  /** The attribute that names the events of the change; null: there are none. */
  readonly events: Html | null
}

/** What the script that drags knows of a record. */
export function dragAttributes({ action, was, events }: Draggable): Html {
  return html` data-move="${action}" data-was="${was}"${events}`
}

/** What that script sends, once for all records of a view. */
export function moveTemplate(hidden: Html): Html {
  return block`
    <template class="mover">
      <form method="post" hidden>${hidden}<input type="hidden" name="was"><button name="value" data-action="run" data-quiet></button></form>
    </template>
  `
}
