import type { AuthSettings, Middleware } from '../auth/pipeline.js'
import type { Messages } from '../base/messages.js'
import type { Brand } from '../face/brand.js'
import type { View } from '../face/view.js'
import type { LogEntry } from '../http/app.js'
import type { Cors } from '../http/cors.js'
import type { Limits } from '../http/limits.js'
import type { Plugin } from '../plugin/plugin.js'
import type { MenuLine } from '../resource/menu.js'
import type { Page } from '../resource/own-page.js'
import type { Policies } from '../resource/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Place } from '../route/url.js'
import type { UserModel } from '../store/panel/users.js'

/** The settings of a panel. */
export interface PanelSpec<R extends readonly Resource[] = readonly Resource[], P extends readonly Plugin[] = readonly Plugin[]> {
  /** Tells panels of one process apart; it is in names of cookies. Default `admin`. */
  readonly id?: string
  /** Default `Daymark`. */
  readonly title?: string
  /** What makes it look like yours: `name` (default: the title), `logo` (the URL of an image), `accent` (`#rrggbb`; made readable in both themes). */
  readonly brand?: Partial<Brand>
  readonly resources: R
  /** What is added to it, such as `oag()` of `daymark/oag`. Default: nothing. */
  readonly plugins?: P
  /** Pages of your own in place of those that plugins bring, by their names: `oag::docs`. */
  readonly views?: Readonly<Record<string, View>>
  /** Pages of your own, made with `definePage`, at `/page/{pageUri}`. */
  readonly pages?: readonly Page[]
  /** The first page. Default: what the caller may list. */
  readonly home?: Page
  /** The menu: resources, pages, links, groups and dividing lines, in their order. Default: the first page, the resources, the pages. */
  readonly menu?: readonly MenuLine[]
  /** A `DATABASE_URL` (`sqlite:PATH`, `sqlite::memory:`) or a Drizzle database. Needed unless every resource names its own. */
  readonly database?: string | object
  /**
   * A read replica of `database`, in PostgreSQL: lists and exports are read there, except by who has written in the last `after` seconds (default 10), and by who
   * comes without a session. While it is away, the database itself is read.
   */
  readonly replica?: { readonly database: string | object; readonly after?: number }
  /** Where the panel is reached, where that is not the root of its host: `https://example.com/below/this`. */
  readonly url?: string
  /** Default `{ panel: 'admin', resource: 'resource', page: 'page' }`. */
  readonly prefix?: Partial<Place['prefix']>
  /** What stands before every request. Default `[session()]`; `[]` where no cookie shall ever be read or set. */
  readonly middleware?: readonly Middleware[]
  /**
   * Who may come in, and how. Default `{ middleware: authenticate(), pipelines: [password()] }`: users of the panel's own.
   * `open` lets anybody in as one local administrator, and refuses every host but loopback.
   */
  readonly auth?: AuthSettings | 'open'
  /** A model of the application's own that holds the users, and which of its columns are what. Default: the panel's own table. */
  readonly users?: UserModel
  /** Where failed attempts are counted: several processes that serve one panel need the `database`. Default `memory`. */
  readonly attempts?: 'memory' | 'database'
  /** How many proxies stand before the panel and add to `X-Forwarded-For`; their `X-Forwarded-Proto` is believed, too. Default `false`: none. */
  readonly trustProxy?: false | number
  /** Which pages elsewhere may call the panel from a browser, by a token. Default `false`: none. */
  readonly cors?: false | Cors
  /** What holds for every resource that does not say otherwise. Default: everything, to anybody with a role. */
  readonly can?: Policies
  /** The language of texts, and how numbers and dates are written. Default `en`. */
  readonly locale?: string
  /** Texts of your own, over those of the locale's language (English and German are complete). */
  readonly messages?: Partial<Messages>
  /** An IANA time zone. Default `UTC`. */
  readonly timeZone?: string
  readonly limits?: Partial<Limits>
  /** Signs what a browser keeps for the panel. Default: `DAYMARK_SECRET`, else one made once and kept in the panel's own tables. */
  readonly secret?: string
  /** Called with the SQL of every statement. */
  readonly observe?: (sql: string) => void
  /** Called with what goes wrong on our side. Default: a line of JSON on stderr. */
  readonly log?: (entry: LogEntry) => void
}
