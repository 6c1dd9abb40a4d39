import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { reportTo } from './processes.ts';

/** The reference: a server that only sends the same answer from memory. */
const bytes = readFileSync(process.env['BYTES'] ?? '');
const headers = JSON.parse(process.env['HEADERS'] ?? '{}') as Record<string, string>;
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  reportTo(process, `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
});
process.on('SIGTERM', () => process.exit(0));
