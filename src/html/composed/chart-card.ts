import type { Html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { ChartGroup, ChartSeries, Filled } from '../../crud/outcomes/pages.js'
import type { PresenterContext } from '../../face/face.js'
import { remembered } from '../../field/remembered.js'
import { withUnit } from '../../field/unit.js'
import { chartColours } from '../../resource/pages/groups.js'
import { chart } from '../components/chart.js'
import type { NumberView } from '../components/chart-parts.js'
import { filteredUrl } from '../list/list-url.js'

/** A chart of a page. */
export function chartCard({ component, read }: Extract<Filled, { is: 'chart' }>, fragment: string, at: PresenterContext): Html {
  const { name, label } = component
  const { groups, series, isOverTime, isWhole, hasMore, days } = read
  const { t, locale } = at.realm
  const numbers = (values: readonly (number | null)[], field: ChartSeries['field']): readonly NumberView[] =>
    values.map((value) => ({ value, text: value === null ? t('value.empty') : numberWords(value, field, at) }))
  const [ofGroups, ofSeries] = [tonesOf(groups), tonesOf(series)]
  const meant = groups.some(({ tone }) => tone !== null)
  return chart(
    {
      name,
      label,
      url: fragment,
      type: component.type ?? (isOverTime ? 'column' : 'bar'),
      groups: groups.map((group, index) => ({
        label: group.label,
        short: group.short,
        href: hrefOf(group, at),
        current: group.isCurrent,
        tone: ofGroups[index] as string,
        alone: group.isOthers ? 'others' : meant ? (ofGroups[index] as string) : null,
      })),
      series: series.map((one, index) => ({ label: one.label, tone: ofSeries[index] as string, values: numbers(one.values, one.field) })),
      stacked: isWhole,
      // Parts of a whole are all of one field.
      totals: numbers(
        groups.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
        series[0]?.field ?? null,
      ),
      scaleText: scaleFormat(series, locale),
      shareText: shareFormat(locale).format,
      wholeNumbers: read.series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value))),
      note: hasMore ? t('chart.more', { count: groups.length }) : null,
      days,
    },
    t,
  )
}

/**
 * The colours of groups or series: by what they mean, if some mean something, else in order. Of several that mean the same and
 * whose kind says no more, the first one has the colour of that, and the others a second one.
 */
function tonesOf(all: readonly Pick<ChartGroup, 'tone' | 'isOthers'>[]): readonly string[] {
  const isMeant = all.some(({ tone }) => tone !== null)
  const seen = new Set<string>()
  return all.map(({ tone, isOthers }, index) => {
    if (isOthers || (!isMeant && index >= chartColours)) return 'others'
    if (!isMeant) return String(index + 1)
    const own = tone ?? 'plain'
    const name = seen.has(own) && !own.endsWith('-2') ? `${own}-2` : own
    seen.add(own)
    return name
  })
}

/** A number with the decimals that its field states. */
function numberWords(value: number, field: ChartSeries['field'], { realm }: PresenterContext): string {
  return field ? field.kind.words(value, field, realm) : numberText(realm.locale, value)
}

function hrefOf({ link }: ChartGroup, { place }: PresenterContext): string | null {
  return link && filteredUrl(place, link.resource, link.query)
}

const shareFormat = remembered(
  (locale: string) => new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)

/** How numbers at the lines of a scale are written: in the currency or unit that all of them have. */
function scaleFormat(series: readonly ChartSeries[], locale: string): (value: number) => string {
  const of = (name: 'currency' | 'unit') => {
    const [one, ...others] = new Set(series.map(({ field }) => field?.own[name] as string | undefined))
    return others.length === 0 ? one : undefined
  }
  const unit = of('unit')
  const number = scaleTexts(`${locale} ${of('currency') ?? ''}`)
  return (value) => withUnit(number(value), unit, locale)
}

/** A number at a line of a scale: short where it is large, and with all of its digits where it is small. */
const scaleTexts = remembered((asked: string) => {
  const [locale = '', currency = ''] = asked.split(' ')
  const style = currency === '' ? {} : ({ style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const)
  const short = { ...style, minimumFractionDigits: 0, maximumFractionDigits: 1 }
  const plain = new Intl.NumberFormat(locale, style)
  const small = new Intl.NumberFormat(locale, { ...style, maximumSignificantDigits: 3 })
  const compact = new Intl.NumberFormat(locale, { ...short, notation: 'compact' })
  const scientific = new Intl.NumberFormat(locale, { ...short, notation: 'scientific' })
  return (value: number) => {
    const size = Math.abs(value)
    if (size < 1) return (size === 0 || size >= 1e-6 ? small : scientific).format(value)
    return (size < 10_000 ? plain : size < 1e15 ? compact : scientific).format(value)
  }
})
