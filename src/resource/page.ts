/** The kinds of pages of a resource. A form is one page for create and edit. */
export const pageTypes = ['index', 'form', 'detail'] as const
export type PageType = (typeof pageTypes)[number]

/** Fields of a form that belong together, under a heading. */
export interface Section<Name extends string = string> {
  readonly section: string
  readonly fields: readonly Name[]
}

/** Which page a request is on, or comes from. It is kept in the request's context, never on a resource. */
export interface PageContext {
  /** Null on a page of the panel's own. */
  readonly resourceUri: string | null
  /** Null where a request comes from no page. */
  readonly pageUri: string | null
  /** Null on a page that is made of components. */
  readonly page: PageType | null
  /** The key of the record, on a detail page and on the form that edits it. */
  readonly resourceItem: string | null
  readonly isIndexPage: boolean
  readonly isFormPage: boolean
  readonly isCreateFormPage: boolean
  readonly isUpdateFormPage: boolean
  readonly isDetailPage: boolean
}

/** The context of a page, as callbacks get it. */
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

/** What a resource reports about the current page. */
export interface PageReports {
  isIndexPage(ctx: PageContext): boolean
  isFormPage(ctx: PageContext): boolean
  isCreateFormPage(ctx: PageContext): boolean
  isUpdateFormPage(ctx: PageContext): boolean
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
export const reservedPageUris = ['crud', 'handler', 'validate', 'export'] as const
