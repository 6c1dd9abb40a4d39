import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * This module is loaded into the attacked server. `GET /` on the port ATTACK_DELAY_PORT returns the event loop's delay
 * (ms), at the 99th percentile since the last request, and resets it.
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
