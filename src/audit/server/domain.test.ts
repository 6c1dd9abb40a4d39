import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAuditRetention } from '#audit/server/domain.ts';
import { auditChain } from '#database/audit.ts';
import { extendChain } from '#database/journal/chain.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let adminId: string;
beforeAll(async () => {
  app = await startTestApp();
  const token = await app.signIn('admin');
  adminId = (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
});
afterAll(() => app.close());

const call = async (method: string, path: string, body?: unknown) => {
  const token = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
  return app.request(method, path, { token, ...(body !== undefined && { body }) });
};
const busy = (minutes: number) => call('POST', `/v1/stores/${app.shop.storeId}/busy`, { minutes });
const check = async () => {
  await extendChain(app.database.db, auditChain);
  return (await call('GET', '/v1/audit/check')).body.data;
};
const lines = async () => (await call('GET', '/v1/audit?area=stores')).body.data.length;

test('lines go when they are older than the setting; the check holds after it, and finds a break after it', async () => {
  const { stop, sweep } = startAuditRetention(app.services);
  await stop();
  expect((await call('PATCH', `/v1/stores/${app.shop.storeId}`, { keep_audit_months: 12 })).status).toBe(200);
  await busy(5);
  expect((await check()).faults).toEqual([]);
  const old = await lines();
  app.clock.now = new Date('2027-11-20T18:00:00Z');
  expect(await sweep()).toBe(0);
  await busy(10);
  await check();
  app.clock.now = new Date('2027-11-22T18:00:00Z');
  await busy(15);
  await busy(20);
  await check();
  expect(await sweep()).toBeGreaterThanOrEqual(old);
  expect(await sweep()).toBe(0);
  expect(await lines()).toBe(3);
  expect((await check()).faults).toEqual([]);

  // Somebody with the database in hand changes a line that stayed.
  const { db } = app.database;
  await sql`alter table audit_log disable trigger user`.execute(db);
  await sql`update audit_log set actor = 'Nobody' where at > '2027-11-21'`.execute(db);
  await sql`alter table audit_log enable trigger user`.execute(db);
  expect((await check()).faults).toContainEqual(expect.objectContaining({ kind: 'changed' }));
});
