import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { connect } from '../src/database/connect.ts';
import { startServerParts } from '../src/platform/server/parts.ts';
import { servePages } from '../src/storefront/server/pages.ts';
import { reportTo } from './processes.ts';

/** The shop as in production, on the given database. */
const database = process.env['DATABASE_URL'] ?? '';
const log = pino({ level: 'warn' });
const { db } = connect(database, (error) => log.error(error));
const options = { config: readConfig({ ...process.env, PORT: '0' }), db, database, log, servePages };
const app = await startServerParts(log, (parts) => createApp(options, parts));
const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
reportTo(process, url);
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
