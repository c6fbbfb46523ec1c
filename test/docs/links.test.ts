import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { anchors, documentText } from './markdown.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/atlas/README.md', ...below('docs')]

test.each(documents)('%s links to what is there', (file) => {
  const text = documentText(file).replace(/^```[\s\S]*?^```/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string).filter((link) => !/^[a-z]+:/.test(link))
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : normalize(join(dirname(file), path))
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchors(target).has(anchor))
  })
  expect(broken).toEqual([])
})

test('docs/README.md leads to every page', () => {
  const index = documentText('docs/README.md')
  const pages = below('docs').filter((file) => !file.startsWith('docs/decisions/') && file !== 'docs/README.md')
  expect(pages.filter((file) => !index.includes(`](${file.replace('docs/', '')}`))).toEqual([])
})

test('docs/decisions/README.md lists every decision by its number and title', () => {
  const files = below('docs/decisions').filter((file) => !file.endsWith('README.md'))
  const listed = [...documentText('docs/decisions/README.md').matchAll(/^(\d+)\. \[(.+)\]\((.+)\)$/gm)].map(([, number, title, file]) => [
    Number(number),
    title,
    file,
  ])
  const titles = files.map((file) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(documentText(file)) ?? []
    return [Number(number), title, file.replace('docs/decisions/', '')]
  })
  expect(listed).toEqual(titles)
  expect(titles.map(([number]) => number)).toEqual(titles.map((_, i) => i + 1))
})

describe('no document names', () => {
  test.each(documents)('%s: a path of a machine, or what is left to write', (file) => {
    expect(documentText(file)).not.toMatch(/(?<![\w.])\/(?:home|root|work|Users)\/|\b(?:TODO|FIXME|TBD|XXX)\b/)
  })
})

function below(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()
}
