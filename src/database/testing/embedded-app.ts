// A small app for the tests of the embedded database: one JSON line when it is ready or cannot start, SIGTERM stops it.
import { Client } from 'pg';
import { startEmbeddedPostgres, DatabaseStartError } from '#database/embedded/embedded-postgres.ts';

const [dataDir = '', options = '{}'] = process.argv.slice(2);
const { work, ...wanted } = JSON.parse(options);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const log = {
  info: (details: object, message: string) => say({ level: 'info', message, ...details }),
  warn: (details: object, message: string) => say({ level: 'warn', message, ...details }),
  error: (details: object, message: string) => say({ level: 'error', message, ...details }),
};

try {
  const database = await startEmbeddedPostgres({ dataDir, log, ...wanted });
  database.announce('http://localhost:3000', 3000);
  // The database alone does not keep a process running; the server of an app does.
  const serving = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(serving);
    void database.stop().then(() => say({ state: 'stopped' }));
  });
  if (work) {
    const client = new Client(database.connection);
    await client.connect();
    await client.query(`BEGIN; ${work}`);
  }
  say({ state: 'ready', connection: database.connection });
} catch (error) {
  if (!(error instanceof DatabaseStartError)) throw error;
  say({ state: 'refused', code: error.code, message: error.message });
  process.exitCode = 1;
}
