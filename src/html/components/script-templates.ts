import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { icon } from './icon.js'
import { toast, tones } from './toast.js'

const made = new WeakMap<Translate, Html>()

/** Markup and texts for scripts, in the panel's language, in a `template`, which is not displayed. Scripts fill in `{count}`. */
export function scriptTemplates(t: Translate): Html {
  let all = made.get(t)
  if (!all) {
    all = block`
      <template
        id="_parts"
        data-lost="${t('script.lost')}"
        data-failed="${t('script.failed')}"
        data-signed-out="${t('script.signedOut')}"
        data-request="${t('problem.request')}"
        data-not-saved="${t('script.notSaved')}"
        data-maybe-saved="${t('script.maybeSaved')}"
        data-gone="${t('script.gone')}"
        data-discard="${t('script.discard')}"
        data-stale="${t('script.stale')}"
        data-typed="${t('script.typed', { value: '{count}' })}"
        data-undo="${t('trash.undo')}"
        data-none="${t('form.foundNone')}"
        data-not-chosen="${t('form.notChosen')}"
        data-copied="${t('script.copied')}"
        data-show="${t('list.show')}"
        data-show-count="${t('list.showCount', { count: '{count}' })}"
        data-job-count="${t('job.count', { done: '{done}', total: '{total}' })}"
        data-added="${t('script.added', { label: '{count}' })}"
        data-uploaded="${t('script.uploaded', { name: '{count}' })}"
        data-wrong="${t('form.wrong', { count: '{count}' })}"
        data-selected="${t('script.selected', { count: '{count}' })}"
      >
        ${Object.entries(pieces(t)).map(([name, piece]) => html`<div data-part="${name}">${piece}</div>`)}
      </template>
    `
    made.set(t, all)
  }
  return all
}

function pieces(t: Translate): Readonly<Record<string, Html>> {
  return {
    problem: block`
      <div class="notice bad" role="alert">${icon('wrong')}<p></p>${button({ label: t('problem.again') }, { type: 'button' })}</div>
    `,
    'signed-out': block`
      <div class="notice bad" role="alert">
        ${icon('wrong')}
        <p>${t('script.signedOutForm')}</p>
        <a class="button" href="" target="_blank" rel="noopener">${t('signIn.title')}</a>
      </div>
    `,
    'sign-in': block`
      <div class="notice bad" role="alert">
        ${icon('wrong')}
        <p>${t('signIn.ended')}</p>
        <a class="button" href="">${t('signIn.title')}</a>
      </div>
    `,
    ...Object.fromEntries(tones.map((tone) => [`toast-${tone}`, toast({ text: '', tone }, t)])),
    'field-error': html`<div class="error">${icon('wrong')}<span></span></div>`,
    shown: block`
      <div class="shown">
        <h1 id="shown-title" class="unseen">${t('action.done')}</h1>
        <div class="content"></div>
        <div class="actions">${button({ label: t('script.close') }, { type: 'button' })}</div>
      </div>
    `,
    job: block`
      <section class="job-panel" tabindex="-1">
        <p class="label"></p>
        <progress max="1" value="0" aria-label="${t('job.running')}"></progress>
        <p class="how"><span class="state" role="status"></span> <span class="muted count"></span></p>
        <div class="actions">
          ${button({ label: t('action.cancel') }, { type: 'button', 'data-do': 'cancel' })}
          <a class="button" href="">${t('job.show')}</a>
          ${button({ label: t('script.close') }, { type: 'button', 'data-do': 'close' })}
        </div>
      </section>
    `,
    uploading: block`
      <div class="uploading">
        <progress max="1" value="0" aria-label="${t('script.uploading')}"></progress>
        ${button({ label: t('action.cancel'), tone: 'plain' }, { type: 'button' })}
      </div>
    `,
    unsaved: html`<span class="unsaved">${t('script.unsaved')}</span>`,
    show: iconButton('show', t('script.show'), html`${icon('view')}`),
    copy: iconButton('copy', t('script.copy'), html`${icon('copy')}`),
    'copy-key': html`<button type="button" class="copy-key">${icon('copy')}<span>${t('script.copyKey')}</span></button>`,
    relation: block`
      <div class="combobox"><input type="text" spellcheck="false"><div class="options" aria-label="${t('form.found')}"></div></div>
    `,
    palette: block`
      <dialog class="palette" aria-label="${t('palette.title')}">
        <form method="dialog" class="combobox">
          <div class="ask">
            ${icon('search')}
            <input type="text" spellcheck="false" placeholder="${t('palette.how')}" aria-label="${t('palette.how')}">
            <button>${t('script.close')}</button>
          </div>
          <div class="options" aria-label="${t('form.found')}"></div>
        </form>
      </dialog>
    `,
  }
}

function iconButton(name: string, label: string, drawn: Html): Html {
  return block`
    <button type="button" class="${name}" aria-label="${label}" title="${label}"${name === 'show' && html` aria-pressed="false"`}>
      ${drawn}
    </button>
  `
}
