import { describe } from 'vitest'
import { worldsOver } from './world.js'

// What holds over SQLite, once more over PostgreSQL: users, sessions, tokens, attempts and links to set a password.
worldsOver('postgresql')

describe('over PostgreSQL', () => {
  describe('sessions', async () => void (await import('./session.test.js')))
  describe('tokens', async () => void (await import('./jwt.test.js')))
  describe('throttling', async () => void (await import('./throttle.test.js')))
})
