import type { Table } from 'drizzle-orm'
import type { SendMail } from '../auth/mail.js'
import type { AuthSettings, Middleware } from '../auth/pipeline.js'
import type { Messages } from '../base/messages.js'
import type { FileFormat } from '../crud/realm/file-format.js'
import type { Brand } from '../face/brand.js'
import type { View } from '../face/view.js'
import type { LogEntry } from '../http/app.js'
import type { Cors } from '../http/cors.js'
import type { Limits } from '../http/limits.js'
import type { AnsweredRequest } from '../http/telemetry.js'
import type { Plugin } from '../plugin/plugin.js'
import type { Policies, Policy } from '../resource/action/policy.js'
import type { MenuLine } from '../resource/pages/menu.js'
import type { Page } from '../resource/pages/own-page.js'
import type { Resource } from '../resource/resource.js'
import type { Webhook } from '../resource/webhook.js'
import type { Place } from '../route/url.js'
import type { FileStorage } from '../store/files/storage.js'
import type { UserModel } from '../store/panel/users.js'

/** The settings of `definePanel`. */
export interface PanelSpec<
  R extends readonly Resource[] = readonly Resource[],
  P extends readonly Plugin[] = readonly Plugin[],
  // biome-ignore lint/suspicious/noExplicitAny: of any table
  U extends Table = any,
> {
  /**
   * Identifies the panel within a process; the names of its cookies contain it. Lower-case letters, digits and hyphens. Default: `admin`.
   */
  readonly id?: string
  /** The name on its pages. Default: `Daymark`. */
  readonly title?: string
  /** Your name, logo and colour. Default: the `title`, and Daymark's own logo and colour. */
  readonly brand?: Partial<Brand>
  /** The resources, in menu order, as `defineResource` returns them. */
  readonly resources: R
  /** Plugins, such as `oag()` of `daymark/oag`. Default: none. */
  readonly plugins?: P
  /** Your pages in place of those that plugins bring, by name: `oag::docs`. Default: none. */
  readonly views?: Readonly<Record<string, View>>
  /** Pages of your own, made with `definePage`, at `/page/{pageUri}`. Default: none. */
  readonly pages?: readonly Page[]
  /** The first page. Default: the resources that the user may list. */
  readonly home?: Page
  /** The menu: resources, pages, links, groups and dividing lines, in order. Default: the first page, the resources, the pages. */
  readonly menu?: readonly MenuLine[]
  /**
   * The database of resources that name no other, and of the panel's own tables: `sqlite:PATH` (or `file:PATH`), `sqlite::memory:`,
   * `postgres://…`, or a Drizzle database over better-sqlite3, libsql or node-postgres. Required unless `auth` is `open` and every resource
   * has a database or store of its own.
   */
  readonly database?: string | object
  /**
   * A PostgreSQL read replica of `database`, for lists and exports. Default: none.
   *
   * A session that has written within the last `after` seconds (default 10, at least 2) reads from the database itself, as does a caller
   * without a session. If the replica is down, the database itself is read.
   */
  readonly replica?: {
    /** The replica: a `postgres://…` URL, or a Drizzle database over node-postgres. */
    readonly database: string | object
    /** How long a session that has written reads from `database` itself, in whole seconds, at least 2. Default: 10. */
    readonly after?: number
  }
  /**
   * Where the files of `file()` and `image()` fields are kept: `folder('uploads')`, or a storage of yours. Required where a resource has such
   * a field. Default: none.
   */
  readonly files?: FileStorage
  /** Formats of files in which lists are exported and imported, besides CSV: `[xlsx()]` of `daymark/xlsx`. Default: none. */
  readonly formats?: readonly FileFormat[]
  /** Services that are told what happens to records. Default: none. */
  readonly webhooks?: readonly Webhook[]
  /**
   * Tells users something: what hooks, actions and `panel.notify()` say, and that their jobs have ended. Pages then have a bell. Not with
   * `auth: 'open'`, where nobody is known. Default: `false`.
   */
  readonly notifications?:
    | boolean
    | {
        /** For how many days they are kept, read or not: a whole number from 1. Default: 90. */
        readonly keep?: number
      }
  /**
   * Sends the panel's mails: a link to users who have forgotten their password, and word to those whose password has changed. Needs `url`, to
   * which the links lead. Default: none, and the panel sends no mails.
   */
  readonly mail?: SendMail
  /**
   * The public URL, if the panel is not at the root of its host: `https://example.com/back-office`. Its links then carry that path. Unless
   * you set `trustProxy`, the panel answers only for that host and for loopback. Default: none.
   */
  readonly url?: string
  /**
   * The names in its paths: `/{panel}/{resource}/…` and `/{panel}/{page}/…`. Default:
   * `{ panel: 'admin', resource: 'resource', page: 'page' }`.
   */
  readonly prefix?: Partial<Place['prefix']>
  /** Runs before every request. Default: `[session()]`. With `[]` and no pipeline that uses cookies, no cookie is ever read or set. */
  readonly middleware?: readonly Middleware[]
  /**
   * How users sign in. Default: `{ middleware: authenticate(), pipelines: [password()] }`, with a username and a password.
   *
   * `'open'`: everybody who reaches the panel is one local administrator, and it answers on loopback hosts only.
   */
  readonly auth?: AuthSettings | 'open'
  /** Your application's users: a table, and what its columns hold. Default: the panel's own table. */
  readonly users?: UserModel<U>
  /** Where failed sign-ins are counted. Several processes need `database`. Default: `memory`. */
  readonly attempts?: 'memory' | 'database'
  /** How many proxies in front of the panel add to `X-Forwarded-For`; their `X-Forwarded-Proto` is trusted, too. Default: `false`, none. */
  readonly trustProxy?: false | number
  /** Other origins whose pages may call the panel from a browser, with a token. Default: `false`, none. */
  readonly cors?: false | Cors
  /** The policies of resources that do not declare their own. Default: any user with a role may do everything. */
  readonly can?: Policies
  /**
   * Who may save a view of a list for everybody: role names, or as any policy. Others are offered it if they may filter and sort by what it
   * does. Not with `auth: 'open'`, where there is nobody else. Default: nobody.
   */
  readonly shareViews?: Policy
  /** The language of texts, and the format of numbers and dates: a BCP 47 tag such as `de-AT`. Default: `en`. */
  readonly locale?: string
  /**
   * Your own texts by key, over those of the language. In a language that the panel does not speak, texts that you leave out stay English.
   */
  readonly messages?: Partial<Messages>
  /** The time zone of pages and forms, unless the user has their own: an IANA name. Default: `UTC`. */
  readonly timeZone?: string
  /** How large a request may be. Default: see each limit. */
  readonly limits?: Partial<Limits>
  /**
   * Signs form tokens and the message shown after saving. Default: the environment variable `DAYMARK_SECRET`, else one that the panel
   * generates once and stores in its own tables; in open mode, one for each start.
   */
  readonly secret?: string
  /** Receives the SQL of every statement, without values. Default: none. */
  readonly observe?: (sql: string) => void
  /**
   * Receives each request after the end of its answer, whatever that was: for an access log, metrics and traces. What it throws goes to
   * `log`. Default: none.
   */
  readonly answered?: (entry: AnsweredRequest) => void
  /** Receives server-side errors, never a caller's mistakes. Default: writes a line of JSON to standard error. */
  readonly log?: (entry: LogEntry) => void
}

/** The panel's own pages, including the home page. */
export function pagesOf({ pages = [], home }: PanelSpec): readonly Page[] {
  return home && !pages.includes(home) ? [home, ...pages] : pages
}
