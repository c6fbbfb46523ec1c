import type { House } from '../plugin/plugin.js'
import type { BoundAction } from '../resource/action/bind-action.js'
import { isComposed } from '../resource/pages/own-page.js'
import type { Problem } from '../resource/problem.js'
import { isUnsaid } from './action-schema.js'

/** Warns of what the document cannot describe: actions whose input schema exports no JSON Schema. */
export function unsaidOf({ realm }: House): readonly Problem[] {
  return [
    ...[...realm.resources.values()].flatMap(({ uriKey, handlers, methods, morePages }) => [
      ...unsaid(`${uriKey}.handlers`, handlers),
      ...unsaid(`${uriKey}.methods`, methods),
      ...[...morePages.values()].filter(isComposed).flatMap((page) => unsaid(`${uriKey}.pages.more.${page.uri}.methods`, page.methods)),
    ]),
    ...[...realm.pages.values()].flatMap((page) => unsaid(`pages.${page.uri}.methods`, page.methods)),
  ]
}

function unsaid(at: string, all: ReadonlyMap<string, BoundAction>): readonly Problem[] {
  return [...all.values()].filter(isUnsaid).map(({ uri }) => ({
    id: 'action-schema',
    where: `${at}.${uri}.input`,
    text: 'its schema gives no JSON Schema of an object, so the document allows any object: use zod, or a library whose schemas have `~standard.jsonSchema`',
  }))
}
