import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { Stripe } from 'stripe';
import type { Db, Schema } from '#database/schema.ts';
import type { LogEntry } from '#simulators/stripe/api/answer-call.ts';
import type { Tasks } from '#payment/testing/model/tasks.ts';

/**
 * The database, in which tasks stop before and after each commit. Each connection plans a statement once, and a
 * transaction begins together with its first statement: waiting for the database is most of the time of a model.
 * `onWrite` is called before what may change the money of an order.
 */
export function databaseWithStops(pool: pg.Pool, tasks: Tasks, onWrite: () => void): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withStops(pool, tasks, onWrite) }) });
}

/** The driver knows the process that serves a connection; its types do not say so. */
type ServedClient = pg.PoolClient & { processID: number };

function withStops(pool: pg.Pool, tasks: Tasks, onWrite: () => void): PostgresPool {
  const names = new Map<string, string>();
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = (await tasks.ask(() => pool.connect())) as ServedClient;
      let begun: Promise<unknown> | null = null;
      const query = async (text: string, values: unknown[]) => {
        if (mayChangeMoney(text)) onWrite();
        if (text === 'begin') {
          return tasks.ask(async () => {
            begun = client.query(text);
            return nothing;
          });
        }
        // A process that dies leaves its transactions to be rolled back.
        if (text === 'rollback') return client.query(text);
        if (text === 'commit') await tasks.stop('before commit');
        const statement = { text, values, name: nameOf(text, names) };
        const [result] = await tasks.ask(() => Promise.all([client.query(statement), begun]), client.processID);
        begun = null;
        if (text === 'commit') await tasks.stop('after commit');
        return result;
      };
      // Cursors are the other form of a query; none are used.
      return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
    },
  };
}

const nothing = { command: 'SELECT' as const, rowCount: 0, rows: [] };

/** The driver prepares what has a name. */
function nameOf(text: string, names: Map<string, string>): string {
  const name = names.get(text) ?? `planned_${names.size}`;
  names.set(text, name);
  return name;
}

/** Everything but reading and the storing of webhooks. */
function mayChangeMoney(text: string): boolean {
  return !/^\s*(\/\*.*?\*\/)?\s*(select|begin|rollback|(insert into|update) "?payment_(events|key_sets)"?)\b/i.test(
    text,
  );
}

type Request = Parameters<Stripe.HttpClient['makeRequest']>;

/** Calls of the provider, at which tasks stop before the request leaves and after the answer has come. */
export function callsWithStops(inner: Stripe.HttpClient, tasks: Tasks, log: () => readonly LogEntry[]) {
  return new (class extends Stripe.HttpClient {
    override getClientName() {
      return 'model';
    }
    override async makeRequest(...request: Request) {
      const [, , path, method] = request;
      await tasks.stop(`before ${method} ${path}`);
      const answer = await tasks.ask(async () => {
        const begun = await unlessSilent(inner.makeRequest(...request), log);
        return readWhole(begun, await begun.toJSON());
      });
      await tasks.stop(`after ${method} ${path}`);
      return answer;
    }
  })();
}

/** An answer that has arrived to its last byte. */
function readWhole(answer: Stripe.HttpClientResponse, body: unknown): Stripe.HttpClientResponse {
  return new (class extends Stripe.HttpClientResponse {
    override getRawResponse() {
      return answer.getRawResponse();
    }
    override async toJSON() {
      return body;
    }
  })(answer.getStatusCode(), answer.getHeaders());
}

/** The time-out of a call that will not be answered, without waiting for it. */
async function unlessSilent<T>(answer: Promise<T>, log: () => readonly LogEntry[]): Promise<T> {
  const before = log().length;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const isSilent = log()
        .slice(before)
        .some(({ fault }) => fault?.startsWith('timeout'));
      if (isSilent) reject(Stripe.HttpClient.makeTimeoutError());
    }, 2);
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearInterval(timer);
  }
}
