import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the attacked server: `GET /` on the port in `ATTACK_DELAY_PORT` answers by how many milliseconds its event loop
 * was late at the 99th percentile since the last question, and begins anew.
 */
const every = 2;
const delays = monitorEventLoopDelay({ resolution: every });
delays.enable();
createServer((_request, response) => {
  const late = Math.max(0, delays.percentile(99) / 1e6 - every);
  delays.reset();
  response.end(String(late));
})
  .listen(Number(process.env['ATTACK_DELAY_PORT']), '127.0.0.1')
  .unref();
