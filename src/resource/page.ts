/** The kinds of pages of a resource. One form creates and edits. */
export const pageTypes = ['index', 'form', 'detail'] as const
/** A kind of page of a resource: a list, a form or a record. */
export type PageType = (typeof pageTypes)[number]

/** Fields of a form, or of the page of a record, under a heading. */
export interface Section<Name extends string = string> {
  /** The heading. */
  readonly section: string
  /** The fields, in order. */
  readonly fields: readonly Name[]
}

/** Fields in their sections; `label` is null for those without a heading. */
export type Sections = readonly { readonly label: string | null; readonly fields: readonly string[] }[]

/** Groups consecutive fields without a section, so that fields and sections keep their order. */
export function sectionsOf(all: readonly (string | Section)[]): Sections {
  const sections: { label: string | null; fields: string[] }[] = []
  for (const one of all) {
    if (typeof one !== 'string') sections.push({ label: one.section, fields: [...one.fields] })
    else if (sections.at(-1)?.label === null) sections.at(-1)?.fields.push(one)
    else sections.push({ label: null, fields: [one] })
  }
  return Object.freeze(sections)
}

/** The fields of sections, in order. */
export const fieldsIn = (sections: Sections): readonly string[] => Object.freeze(sections.flatMap(({ fields }) => fields))

/** The page that a request is on or comes from. It belongs to the request; the resource keeps none of it. */
export interface PageContext {
  /** The `uriKey` of the resource; null on one of the panel's own pages. */
  readonly resourceUri: string | null
  /** The URI of the page; null if the request comes from none. */
  readonly pageUri: string | null
  /** The kind of page; null on a page of components. */
  readonly page: PageType | null
  /** The key of the record, on a detail page and on the form that edits it; else null. */
  readonly resourceItem: string | null
  /** Whether it is a list. */
  readonly isIndexPage: boolean
  /** Whether it is a form, for a new record or an existing one. */
  readonly isFormPage: boolean
  /** Whether it is the form for a new record. */
  readonly isCreateFormPage: boolean
  /** Whether it is the form of an existing record. */
  readonly isUpdateFormPage: boolean
  /** Whether it is the page of a record. */
  readonly isDetailPage: boolean
}

/** Builds the page context that callbacks get. */
export function pageContext(at: Pick<PageContext, 'resourceUri' | 'pageUri' | 'page' | 'resourceItem'>): PageContext {
  const { page, resourceItem } = at
  return Object.freeze({
    ...at,
    isIndexPage: page === 'index',
    isFormPage: page === 'form',
    isCreateFormPage: page === 'form' && resourceItem === null,
    isUpdateFormPage: page === 'form' && resourceItem !== null,
    isDetailPage: page === 'detail',
  })
}

/** Whether a request is on, or comes from, a page of this resource. */
export interface PageReports {
  /** Whether it is this resource's list. */
  isIndexPage(ctx: PageContext): boolean
  /** Whether it is a form of this resource, for a new record or an existing one. */
  isFormPage(ctx: PageContext): boolean
  /** Whether it is this resource's form for a new record. */
  isCreateFormPage(ctx: PageContext): boolean
  /** Whether it is this resource's form of an existing record. */
  isUpdateFormPage(ctx: PageContext): boolean
  /** Whether it is the page of a record of this resource. */
  isDetailPage(ctx: PageContext): boolean
}

export function pageReports(uriKey: string): PageReports {
  const own = (ctx: PageContext) => ctx.resourceUri === uriKey
  return {
    isIndexPage: (ctx) => own(ctx) && ctx.isIndexPage,
    isFormPage: (ctx) => own(ctx) && ctx.isFormPage,
    isCreateFormPage: (ctx) => own(ctx) && ctx.isCreateFormPage,
    isUpdateFormPage: (ctx) => own(ctx) && ctx.isUpdateFormPage,
    isDetailPage: (ctx) => own(ctx) && ctx.isDetailPage,
  }
}

/** Page URIs that the route table uses itself. */
export const reservedPageUris = ['crud', 'handler', 'validate', 'export', 'import'] as const
