// The space below an input, or above it if there is more.
const [gap, most, least] = [4, 280, 160]

/**
 * Lets the options of an input in a dialog lie over the dialog, which would else have to scroll for them, and cut them. Elsewhere it does
 * nothing.
 */
export function overDialog(list: HTMLElement, input: HTMLElement): { show(): boolean; hide(): void } {
  const put = () => {
    // The dialog may have been closed.
    if (!input.isConnected) return hide()
    const { left, top, bottom, width } = input.getBoundingClientRect()
    const [below, above] = [innerHeight - bottom - 2 * gap, top - 2 * gap]
    const isAbove = below < least && above > below
    Object.assign(list.style, {
      left: `${left}px`,
      width: `${width}px`,
      top: isAbove ? 'auto' : `${bottom + gap}px`,
      bottom: isAbove ? `${innerHeight - top + gap}px` : 'auto',
      maxHeight: `${Math.min(most, isAbove ? above : below)}px`,
    })
  }
  return {
    show() {
      if (!input.closest('dialog')) return false
      if (!list.matches(':popover-open')) {
        list.popover = 'manual'
        list.showPopover()
        // Scrolling does not bubble.
        addEventListener('scroll', put, true)
        addEventListener('resize', put)
      }
      put()
      return true
    },
    hide,
  }

  function hide(): void {
    if (list.matches(':popover-open')) list.hidePopover()
    removeEventListener('scroll', put, true)
    removeEventListener('resize', put)
  }
}
