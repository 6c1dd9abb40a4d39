import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ServerParts } from '#platform/server/parts.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';
import type { MetricsFormat, MetricsSources, Metrics } from '#watch/server/metrics/metrics.ts';

interface MetricsSettings {
  metricsHost: string;
  METRICS_PORT?: number | undefined;
  METRICS_TOKEN?: string | undefined;
}

export interface MetricsServices extends MetricsSources {
  config: MetricsSettings;
  log: { warn(about: object, words: string): void };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}
interface Written {
  written: Promise<Answer>;
  /** When the answer was ready; null while it is being made. */
  at: number | null;
}
type Ask = (headers: IncomingMessage['headers']) => Promise<Answer>;

/** Milliseconds for which an answer is fresh. */
const freshFor = 1_000;
const answerWithin = 4_000;

/** Whether the shop's own port answers `/metrics`: a token is set, and no separate port is set. */
const isOnShopPort = ({ METRICS_PORT: port, METRICS_TOKEN: token }: MetricsSettings) =>
  token !== undefined && port === undefined;

export function serveMetricsOnShopPort(http: FastifyInstance, services: MetricsServices): void {
  if (!isOnShopPort(services.config)) return;
  const ask = createAsk(services);
  http.get('/metrics', async (request, reply) => {
    const { status, headers, text } = await ask.answer(request.headers);
    return reply.status(status).headers(headers).send(text);
  });
  http.addHook('onClose', async () => ask.stop());
}

export async function serveMetricsOnOwnPort(services: MetricsServices, parts: ServerParts): Promise<void> {
  const { metricsHost, METRICS_PORT: port } = services.config;
  if (port === undefined) return;
  const ask = createAsk(services);
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    void answer(ask.answer, request, response);
  });
  server.maxConnections = 20;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, metricsHost, resolve);
  });
  parts.add('metrics', {
    stop: () => {
      ask.stop();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

async function answer(ask: Ask, { method, url = '', headers }: IncomingMessage, response: ServerResponse) {
  const isOurs = method === 'GET' && url.split('?', 1)[0] === '/metrics';
  const { status, headers: sent, text } = isOurs ? await ask(headers) : plain(404, 'There is only /metrics here.');
  response.writeHead(status, { ...sent, 'content-length': Buffer.byteLength(text) }).end(text);
}

/**
 * Creates the function that answers requests for the metrics. Only this function loads the metrics' code, because a
 * shop without metrics does not need that code.
 */
function createAsk(services: MetricsServices): { answer: Ask; stop(): void } {
  let metrics: Promise<Metrics> | undefined;
  const load = () =>
    (metrics ??= import('#watch/server/metrics/metrics.ts').then(({ createMetrics }) => createMetrics(services)));
  // The code is loaded at once, because the metrics count from the server's start.
  void load();
  const known = new Map<MetricsFormat, Written>();
  const sinceThen = (at: number) => Math.abs(services.now().getTime() - at);
  const write = async (format: MetricsFormat): Promise<Answer> => {
    const late = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => late.resolve(plain(503, 'Reading the metrics takes too long.')), answerWithin);
    try {
      const written = load().then((loaded) => loaded.write(format));
      return await Promise.race([
        written.then(({ type, text }) => ({ status: 200, headers: { 'content-type': type }, text })),
        late.promise,
      ]);
    } catch (error) {
      services.log.warn({ err: error }, 'the metrics could not be read');
      return plain(503, 'The database did not answer in time, so there are no metrics.');
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async answer(headers) {
      const { METRICS_TOKEN: token } = services.config;
      if (token !== undefined && !equalInConstantTime(headers.authorization ?? '', `Bearer ${token}`)) {
        return plain(401, 'Send METRICS_TOKEN as a bearer token.', { 'www-authenticate': 'Bearer' });
      }
      const format = /application\/openmetrics-text/.test(headers.accept ?? '') ? 'openmetrics' : 'text';
      // In each format the metrics are read at most once a second, and never twice at the same time.
      const before = known.get(format);
      if (before && (before.at === null || sinceThen(before.at) < freshFor)) return before.written;
      const written = write(format);
      // A slow answer is shared until it is ready, and is fresh for a second after that.
      const entry: Written = { at: null, written };
      known.set(format, entry);
      return written.finally(() => (entry.at = services.now().getTime()));
    },
    stop: () => void metrics?.then((loaded) => loaded.stop()),
  };
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Answer {
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers: { ...type, ...headers }, text: `${text}\n` };
}
