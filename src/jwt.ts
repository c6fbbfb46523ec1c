export { authenticateApi, type JwtOptions, jwtAuth } from './auth/jwt.js'
export type { AuthMiddleware, Pipeline } from './auth/pipeline.js'
