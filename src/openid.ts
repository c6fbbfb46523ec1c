export { openId } from './auth/open-id.js'
export type { OpenIdClaims, OpenIdOptions } from './auth/open-id-options.js'
export type { Pipeline } from './auth/pipeline.js'
