export type { Account } from './auth/account.js'
export { type ApiKeyOptions, apiKeys } from './auth/api-key.js'
export type { Identity } from './auth/identity.js'
export type { Mail, SendMail } from './auth/mail.js'
export { passkeys } from './auth/passkeys.js'
export { password } from './auth/password.js'
export {
  type Authenticator,
  type AuthMiddleware,
  type AuthSettings,
  authenticate,
  type Middleware,
  type Pipeline,
  type Services,
  type ViewAs,
  type Visitor,
} from './auth/pipeline.js'
export { type SessionOptions, session } from './auth/session.js'
export type { TwoFactorOptions } from './auth/two-factor.js'
export { DaymarkError, type ErrorCode, refuse } from './base/errors.js'
export { type EventKind, jsEvent } from './base/event.js'
export { type Attributes, attributes, Html, html, raw, safeUrl } from './base/html.js'
export type { IconName } from './base/icon-paths.js'
export type { Call, GuestCall, PageCall, PanelCall, Realm } from './crud/call/call.js'
export type { From } from './crud/call/from.js'
export type { Body, Input, Query } from './crud/call/input.js'
export type { Outcome } from './crud/outcomes/outcome.js'
export type { View, ViewAt, ViewPage } from './face/view.js'
export type { Builder, Closing, Filling, FillsOf, Wired } from './field/builder.js'
export type { Bound, ColumnType, Facts, Field, FileRule, Json, Kind, Operator, RoleRule, ViewContext } from './field/field.js'
export type { FileMethods } from './field/file-rule.js'
export type { SavesInPlace } from './field/in-place.js'
export type { KeyValue } from './field/key.js'
export { controlAttributes, defineKind, type KindSpec } from './field/kind.js'
export type { RelationMethods } from './field/kinds/belongs-to.js'
export { belongsToMany, type ColumnRef } from './field/kinds/belongs-to-many.js'
export { date } from './field/kinds/date.js'
export { dateTime } from './field/kinds/date-time.js'
export { email } from './field/kinds/email.js'
export { file } from './field/kinds/file.js'
export { id } from './field/kinds/id.js'
export { image } from './field/kinds/image.js'
export { json } from './field/kinds/json.js'
export { number } from './field/kinds/number.js'
export { repeater } from './field/kinds/repeater.js'
export { type SelectOptions, select } from './field/kinds/select.js'
export { switcher } from './field/kinds/switcher.js'
export { tags } from './field/kinds/tags.js'
export { text } from './field/kinds/text.js'
export { textarea } from './field/kinds/textarea.js'
export { time } from './field/kinds/time.js'
export { url } from './field/kinds/url.js'
export type { LongTextMethods } from './field/long-text.js'
export type { CurrencyOptions } from './field/minor.js'
export type { Parts } from './field/parts.js'
export type { StandardSchema } from './field/standard-schema.js'
export type { StoredTime } from './field/stored-time.js'
export type { Suggestions } from './field/suggested.js'
export type { Tone } from './field/tone.js'
export type { Beginning, Step, Transition } from './field/transition.js'
export type { Given } from './http/app.js'
export type { Cors } from './http/cors.js'
export type { LogEntry } from './http/log.js'
export type { Listening } from './http/node.js'
export type { AnsweredRequest } from './http/telemetry.js'
export type { Trace } from './http/trace.js'
export type { PanelSpec } from './panel/spec.js'
export type { PageHelper, PageName, PageUrls, ResourceUrls, ToPage } from './panel/urls.js'
export { definePanel, definePanelIn, type Panel } from './panel.js'
export { definePlugin, type House, type Plugin, type PluginRoute } from './plugin/plugin.js'
export type { PluginCall, PluginResourceCall, PluginVerb, Records } from './plugin/records.js'
export type {
  Action,
  ActionContext,
  Answer,
  Button,
  Download,
  Handler,
  HandlerContext,
  IndexButton,
  Method,
  PageButton,
  PageMethod,
  QueryTag,
  ScopedQuery,
  ScopedStore,
  StoreOf,
} from './resource/action/action.js'
export type { BoundAction } from './resource/action/bind-action.js'
export type { HookContext, Hooks, RuleContext, Validate } from './resource/action/hooks.js'
export type { Notice, Notify, UserId } from './resource/action/notice.js'
export type { Ability, Policies, Policy, RecordPolicy } from './resource/action/policy.js'
export { actionButton } from './resource/components/action-button.js'
export { alert } from './resource/components/alert.js'
export { badge } from './resource/components/badge.js'
export { box } from './resource/components/box.js'
export { chart } from './resource/components/chart.js'
export { formBuilder } from './resource/components/form-builder.js'
export { fragment } from './resource/components/fragment.js'
export { grid } from './resource/components/grid.js'
export { type HasMany, hasMany } from './resource/components/has-many.js'
export { heading } from './resource/components/heading.js'
export { metric } from './resource/components/metric.js'
export { modal } from './resource/components/modal.js'
export { offCanvas } from './resource/components/off-canvas.js'
export { paragraph } from './resource/components/paragraph.js'
export { progress } from './resource/components/progress.js'
export { tableBuilder } from './resource/components/table-builder.js'
export { tabs } from './resource/components/tabs.js'
export { type BelongsToMethods, belongsTo, type RelatedRow } from './resource/condition/belongs-to.js'
export { allOf, anyOf, type Combined, type Condition, not, valuesOf, type Where } from './resource/condition/condition.js'
export type {
  ActionInputs,
  ColumnsOf,
  ColumnValueOf,
  Declared,
  KeyName,
  NumbersOf,
  WhereOf,
  Whole,
  Written,
} from './resource/condition/declared.js'
export type { ChosenPeriod, PageChoice, PageFilter, PeriodBefore, PeriodFilter, ValueFilter } from './resource/condition/page-choice.js'
export type { ValuesOf } from './resource/condition/values-of.js'
export type { Constraints, ConstraintText } from './resource/constraints.js'
export { defineResource } from './resource/define.js'
export type { Derived } from './resource/model/derive.js'
export type { FullText } from './resource/model/full-text.js'
export type { ImportSettings } from './resource/model/import-settings.js'
export type { Column, Model } from './resource/model/model.js'
export type { PageContext, Section, Sections } from './resource/page.js'
export type {
  ActionButton,
  Alert,
  Badge,
  Before,
  Box,
  Chart,
  Charted,
  ChartSource,
  Component,
  FormBuilder,
  Fragment,
  Grid,
  Heading,
  Metric,
  Modal,
  NamedGroups,
  Paragraph,
  Progress,
  TableBuilder,
  Tabs,
} from './resource/pages/component.js'
export { type Figure, figure, type Reading, type ReadingContext } from './resource/pages/figure.js'
export { type GroupedBy, type Groups, groups } from './resource/pages/groups.js'
export type { MenuFacts, MenuLine } from './resource/pages/menu.js'
export { type DetailPage, definePage, type KindPage, type Page, type PageSpec } from './resource/pages/own-page.js'
export { type PeriodSpec, pageFilter, type ValueSpec } from './resource/pages/page-filter.js'
export type { Summary } from './resource/pages/summary.js'
export type { BoundTable, TableContext, TablePart, TableSettings } from './resource/pages/table.js'
export { type Board, type BoardSpec, type Calendar, type CalendarSpec, view } from './resource/pages/view.js'
export { DeclarationError, type Problem } from './resource/problem.js'
export type { BoundComputed, Resource, ResourceOf } from './resource/resource.js'
export type { ActiveAction, OwnStore, Spec } from './resource/settings.js'
export type { SoftDelete } from './resource/soft-delete.js'
export { averageOf, countOf, largestOf, smallestOf, sumOf, type TallyField } from './resource/tally-fields.js'
export { type TrashOptions, trashResource } from './resource/trash-resource.js'
export type { MessageOf, Webhook, WebhookEvent, WebhookMessage } from './resource/webhook.js'
export { defineWebhook } from './resource/webhook.js'
export type { RouteArguments, RouteParams } from './route/params.js'
export type { RouteName } from './route/routes.js'
export { folder } from './store/files/folder.js'
export type { FileStorage, StoredFile } from './store/files/storage.js'
export { memoryStore } from './store/memory.js'
export { type AccountEventsOptions, accountEventsResource } from './store/panel/account-events-resource.js'
export { type ApiKeysOptions, apiKeysResource } from './store/panel/api-keys-resource.js'
export type { FirstUser } from './store/panel/ensure-user.js'
export { type HistoryOptions, historyResource } from './store/panel/history-resource.js'
export type { UserModel } from './store/panel/users.js'
export { type UsersOptions, usersResource } from './store/panel/users-resource.js'
export { type WebhooksOptions, webhooksResource } from './store/panel/webhooks-resource.js'
export { openSqlStore } from './store/sql/open.js'
export type { SqlStore } from './store/sql/sql-store.js'
export type {
  Aggregated,
  Aggregation,
  Along,
  Grouping,
  ListQuery,
  Order,
  Position,
  Reads,
  Row,
  Store,
  Values,
  Writes,
} from './store/store.js'
