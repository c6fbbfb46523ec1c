// The same posts as a PostgreSQL table.
import * as pg from 'drizzle-orm/pg-core'

export const postsInPostgres = pg.pgTable('posts', {
  id: pg.integer('id').primaryKey().generatedByDefaultAsIdentity(),
  title: pg.text('title').notNull(),
  slug: pg.text('slug').notNull().unique(),
  body: pg.text('body').notNull().default(''),
  status: pg.text('status').notNull().default('draft'),
  views: pg.integer('views').notNull().default(0),
  price: pg.doublePrecision('price').notNull().default(0),
  is_active: pg.boolean('is_active').notNull().default(true),
  author_id: pg.integer('author_id').notNull(),
  created_at: pg.timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updated_at: pg.timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})
