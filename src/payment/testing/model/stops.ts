import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { Stripe } from 'stripe';
import { preparedPool } from '#database/prepared-pool.ts';
import type { Db, Schema } from '#database/schema.ts';
import type { LogEntry } from '#payment/testing/stripe/api/answer-call.ts';
import type { Tasks } from '#payment/testing/model/tasks.ts';

/** The database, in which tasks stop before and after each commit. */
export function databaseWithStops(pool: pg.Pool, tasks: Tasks): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withStops(preparedPool(pool), tasks) }) });
}

function withStops(pool: PostgresPool, tasks: Tasks): PostgresPool {
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = await tasks.ask(() => pool.connect());
      const query = async (text: string, values: unknown[]) => {
        // A process that dies leaves its transactions to be rolled back.
        if (text === 'rollback') return client.query(text, values);
        if (text === 'commit') await tasks.stop('before commit');
        const result = await tasks.ask(() => client.query(text, values));
        if (text === 'commit') await tasks.stop('after commit');
        return result;
      };
      // Cursors are the other form of a query; none are used.
      return { query: query as typeof client.query, release: (destroy) => client.release(destroy) };
    },
  };
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
