import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = fileURLToPath(new URL('./src/', import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^daymark$/, replacement: `${src}index.ts` },
      { find: /^daymark\/(.+)$/, replacement: `${src}$1.ts` },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/support/check-answers.ts'],
    globalSetup: ['test/support/postgresql-shared.ts', 'test/support/count-answers.ts'],
    // Browsers, servers and builds wait more than they work: one for each core, where vitest would leave one idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
    // As long as a browser's locators wait: how fast a machine is decides no test.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 180_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts', 'src/browser/**'] },
  },
})
