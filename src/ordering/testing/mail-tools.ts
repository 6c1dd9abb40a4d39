import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { MailServer, ReceivedMail } from '#testing/mail-server.ts';
import type { TestApp } from '#testing/test-app.ts';

export interface Placed {
  id: string;
  session: string;
  email: string;
  /** Of the sandbox, where a card is to pay. */
  page: string;
}

/** Repeats it until it throws nothing, for at most 20 s. */
const soon = (look: () => unknown) => vi.waitFor(look, { timeout: 60_000, interval: 50 });

/**
 * Helpers that act on orders as customers and staff, and read the mails that the SMTP server received; `world` is read at each call.
 */
export function orderMailTools(world: () => { app: TestApp; smtp: MailServer; staff: string }) {
  const read = async ({ id }: Pick<Placed, 'id'>) => {
    const { app, staff } = world();
    return (await app.request('GET', `/v1/orders/${id}`, { token: staff })).body.data;
  };
  const becomes = (order: Placed, status: string) =>
    soon(async () => expect((await read(order)).payment_status).toBe(status));
  const mailsTo = (email: string): ReceivedMail[] => world().smtp.received.filter(({ to }) => to.includes(email));
  return {
    soon,
    becomes,
    mailsTo,
    subjectsTo: (email: string) => mailsTo(email).map(({ subject }) => subject),
    numberOf: async (order: Placed): Promise<string> => (await read(order)).number,
    /** To an address of its own. */
    async place(
      change: Record<string, unknown> = {},
      { language, token }: { language?: string; token?: string } = {},
    ): Promise<Placed> {
      const { app } = world();
      const email = `${randomUUID()}@example.com`;
      const session = randomUUID();
      const { status, body } = await app.request('POST', '/v1/orders', {
        body: app.orderBody({ session, contact: { name: 'Ada Byron', phone: '07700 900123', email }, ...change }),
        headers: language === undefined ? {} : { 'accept-language': language },
        ...(token !== undefined && { token }),
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return { id: body.data.id, session, email, page: body.data.payment.redirect_url };
    },
    /** By staff. */
    async call({ id }: Placed, name: string, body: unknown = {}): Promise<void> {
      const { app, staff } = world();
      const answer = await app.request('POST', `/v1/orders/${id}/${name}`, { body, token: staff });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    },
    async pay(order: Placed): Promise<void> {
      const body = new URLSearchParams({ outcome: 'approve', delivery: 'at_once' });
      await fetch(world().app.url + new URL(order.page).pathname, { method: 'POST', body, redirect: 'manual' });
      await becomes(order, 'authorised');
    },
    /** The latest mail to this address, after this many. */
    async lastOf(email: string, count = 1): Promise<ReceivedMail> {
      await soon(() => expect(mailsTo(email)).toHaveLength(count));
      return mailsTo(email)[count - 1] as ReceivedMail;
    },
    /** Waits until every mail of any order was sent, but for receipts, which wait longer. */
    settled: () =>
      soon(async () => {
        const { db } = world().app.database;
        const owed = db
          .selectFrom('order_mails')
          .select('kind')
          .where('mail_id', 'is', null)
          .where('kind', '!=', 'receipt');
        const open = db.selectFrom('mails').select('kind').where('ended_at', 'is', null);
        expect([...(await owed.execute()), ...(await open.execute())]).toEqual([]);
      }),
  };
}
