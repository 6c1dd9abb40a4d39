import { sql } from 'kysely';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, Tx } from '#database/schema.ts';

export interface TestJobs extends Jobs {
  /** Does all jobs, and those they add; one that throws stays. Returns how many were done. */
  run(): Promise<number>;
  /** The jobs that wait, oldest first. */
  pending(): Promise<{ id: string; queue: string }[]>;
  /** Does one of them, and removes it then. Throws what its handler throws. */
  attempt(id: string): Promise<void>;
  /** Repeats a finished job: the queue guarantees "at least once", no more. */
  repeat(): Promise<void>;
}

type Handler = (payload: object) => Promise<void>;

/** A job queue that waits for the test: in a table, so that a failed change removes its jobs too. */
export function createTestJobs(db: Db): TestJobs {
  const handlers = new Map<string, Handler>();
  const done: { queue: string; payload: object }[] = [];
  const attempt = async ({ queue, payload }: { queue: string; payload: object }): Promise<boolean> => {
    const handler = handlers.get(queue);
    if (!handler) return true;
    return handler(payload).then(
      () => true,
      () => false,
    );
  };
  return {
    send: (tx, queue, payload) => insertJob(tx, queue, payload),
    async work<T extends object>(queue: string, handler: (payload: T) => Promise<void>) {
      // The queue's name determines the type of its payloads, as in the real one.
      handlers.set(queue, handler as unknown as Handler);
    },
    async run() {
      let count = 0;
      const tried = new Set<string>();
      for (;;) {
        const { rows } = await sql<{
          id: string;
          queue: string;
          payload: object;
        }>`select * from test_jobs order by id`.execute(db);
        const job = rows.find(({ id }) => !tried.has(id));
        if (!job) return count;
        tried.add(job.id);
        if (!(await attempt(job))) continue;
        await sql`delete from test_jobs where id = ${job.id}`.execute(db);
        done.push(job);
        count += 1;
      }
    },
    async pending() {
      const { rows } = await sql<{ id: string; queue: string }>`select id, queue from test_jobs order by id`.execute(
        db,
      );
      return rows;
    },
    async attempt(id) {
      const { rows } = await sql<{ queue: string; payload: object }>`
        select queue, payload from test_jobs where id = ${id}`.execute(db);
      const [job] = rows;
      if (!job) return;
      await handlers.get(job.queue)?.(job.payload);
      await sql`delete from test_jobs where id = ${id}`.execute(db);
    },
    async repeat() {
      const job = done.at(-1);
      if (job) await attempt(job);
    },
    isWell: () => true,
    stop: async () => {},
  };
}

async function insertJob(tx: Tx, queue: string, payload: object): Promise<void> {
  await sql`insert into test_jobs (queue, payload) values (${queue}, ${JSON.stringify(payload)}::jsonb)`.execute(tx);
}
