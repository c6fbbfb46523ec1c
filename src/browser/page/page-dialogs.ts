import { firstField } from './dialog.js'
import { focusOn } from './focus-on.js'

const windows = '[popover][role=dialog]'

/** Dialogs that a page declares are popovers, which handle focus by themselves. Adds focus on the first field and keeps Tab inside. */
export function pageDialogs(): void {
  addEventListener(
    'toggle',
    (event) => {
      const one = event.target as HTMLElement
      if (!one.matches?.(windows)) return
      const isOpen = (event as ToggleEvent).newState === 'open'
      one.ariaModal = isOpen ? 'true' : null
      if (isOpen) focusOn(firstField(one))
    },
    true,
  )
  addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || document.querySelector('dialog:modal')) return
    const one = [...document.querySelectorAll<HTMLElement>(`${windows}:popover-open`)].at(-1)
    if (!one) return
    const stops = [...one.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
      (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
    )
    const [first, last, now] = [stops[0], stops.at(-1), document.activeElement]
    const isOutside = !one.contains(now)
    if (!isOutside && now !== (event.shiftKey ? first : last) && !(event.shiftKey && now === one)) return
    event.preventDefault()
    focusOn(event.shiftKey ? last : first)
  })
}
