// The posts in AdminJS as its documentation describes, without a sign-in. Copied to its installation and run there.
import AdminJSExpress from '@adminjs/express'
import { Adapter, Database, Resource } from '@adminjs/sql'
import AdminJS from 'adminjs'
import express from 'express'

const { DB, PORT = '0' } = process.env
AdminJS.registerAdapter({ Database, Resource })
const database = await new Adapter('postgresql', { connectionString: DB, database: new URL(DB).pathname.slice(1) }).init()
const admin = new AdminJS({ rootPath: '/admin', resources: [{ resource: database.table('posts') }] })
const app = express().use(admin.options.rootPath, AdminJSExpress.buildRouter(admin))
const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/admin`))
// As the others: by default a connection ends after 5 s, between two slices.
server.keepAliveTimeout = 65_000
process.on('SIGTERM', () => process.exit())
