import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailKind } from '#database/mail-values.ts';
import type { Tx } from '#database/schema.ts';
import { mailExampleKinds } from '#mail/contract.ts';
import type { MailContent } from '#mail/mail-content.ts';
import { startMailRetention } from '#mail/server/mail-retention.ts';
import { letter } from '#mail/testing/letter.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

const patient = { timeout: 60_000, interval: 50 };

describe('a shop with a mail server', () => {
  let smtp: MailServer;
  let app: TestApp;
  let admin: string;
  const environment = () => ({
    SMTP_URL: smtp.url.replace('//', '//shop:secret@'),
    MAIL_FROM: 'Small Shop <orders@shop.example>',
    APP_URL: 'https://shop.example',
  });
  beforeAll(async () => {
    smtp = await startMailServer();
    app = await startTestApp(
      { accent_color: '#0b5fa5', phone: '01632 960001', email: 'hello@nonna.example' },
      environment(),
    );
    admin = await app.signIn('admin');
  });
  afterAll(async () => {
    await app.close();
    await smtp.stop();
  });
  const inTx = (work: (tx: Tx) => Promise<void>) => app.database.db.transaction().execute(work);
  const send = (...written: Parameters<typeof letter>) => inTx((tx) => app.services.mail.send(tx, letter(...written)));
  const arrived = (subject: string) => smtp.received.filter((mail) => mail.subject === subject);
  const soonArrived = async (subject: string) => {
    await expect.poll(() => arrived(subject).length, patient).toBe(1);
    return arrived(subject)[0];
  };
  const list = async (query = '') =>
    (await app.request('GET', `/v1/mail?per_page=200&${query}`, { token: admin })).body;
  const rowOf = async (subject: string) =>
    (await list()).data.find((mail: { subject: string }) => mail.subject === subject);
  const becomes = (subject: string, state: string) =>
    expect.poll(async () => (await rowOf(subject))?.state, patient).toBe(state);

  test('a mail owed in a transaction arrives, in plain text and in the look of the shop', async () => {
    await send('Grüße');
    const mail = await soonArrived('Grüße');
    expect(mail).toMatchObject({ to: ['ada@example.com'], user: 'shop' });
    expect(mail?.headers).toMatchObject({
      from: 'Small Shop <orders@shop.example>',
      'auto-submitted': 'auto-generated',
      'reply-to': expect.stringContaining('<hello@nonna.example>'),
    });
    expect(mail?.text.trim()).toMatch(/^Hello Ada,\n\n£9\.50\.\n\n[^]*01632 960001$/);
    expect(mail?.html).toContain('<html lang="en"');
    expect(mail?.html).toContain('#0b5fa5');
    expect(mail?.html).toContain('£9.50.');
    expect(mail?.html).not.toMatch(/\{\{|<!-- part/);
    await becomes('Grüße', 'sent');
    const row = await rowOf('Grüße');
    expect(row).toMatchObject({ to: 'ada@example.com', name: 'Ada', tries: 1, answer: null });
    expect(mail?.id).toBe(`<${row.id}@shop.example>`);
  });

  test('its logo is a picture inside it, drawn as a PNG', async () => {
    await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, {
      token: admin,
      body: { logo: '/pictures/margherita.svg' },
    });
    await send('With a logo');
    const mail = await soonArrived('With a logo');
    expect(mail?.html).toContain('src="cid:logo@shop"');
    expect(mail?.picture?.id).toBe('<logo@shop>');
    expect(await sharp(mail?.picture?.bytes).metadata()).toMatchObject({ format: 'png', height: 112 });
    await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body: { logo: null } });
  });

  test('a mail of a transaction that is undone is never sent', async () => {
    const undone = inTx(async (tx) => {
      await app.services.mail.send(tx, letter('Undone'));
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await send('After the undone one');
    await soonArrived('After the undone one');
    expect(arrived('Undone')).toEqual([]);
    expect(await rowOf('Undone')).toBeUndefined();
  });

  test('one that the server refuses for now is seen with its words, and sent again under the same Message-ID', async () => {
    smtp.refusals.data.push('4.3.2 try again later', '4.3.2 still not');
    await send('Second try');
    await becomes('Second try', 'retrying');
    const { id, answer } = await rowOf('Second try');
    expect(answer).toMatch(/^451 4\.3\.2 /);
    expect((await list('state=retrying')).trouble).toMatchObject({
      waiting: 1,
      answer: expect.stringContaining('4.3.2'),
    });
    expect((await soonArrived('Second try'))?.id).toBe(`<${id}@shop.example>`);
    await becomes('Second try', 'sent');
    expect((await rowOf('Second try')).tries).toBeGreaterThan(1);
    expect((await list()).trouble).toBeNull();
  });

  test('one that is refused for policy is tried next after a quarter of an hour', async () => {
    smtp.refusals.data.push('5.7.1 looks like spam');
    await send('Looks like spam');
    await becomes('Looks like spam', 'retrying');
    const { id } = await rowOf('Looks like spam');
    const waiting = async () => {
      const { rows } = await sql<{ minutes: number }>`
        select extract(epoch from start_after - clock_timestamp())::float / 60 as minutes
        from pgboss.job where name = 'mail' and state < 'active' and data->>'mail_id' = ${id}`.execute(app.database.db);
      return rows;
    };
    await expect.poll(async () => (await waiting()).length, patient).toBe(1);
    const [next] = await waiting();
    expect(next?.minutes).toBeGreaterThan(14);
    expect(next?.minutes).toBeLessThanOrEqual(15);
    expect(await rowOf('Looks like spam')).toMatchObject({ tries: 1, answer: expect.stringContaining('5.7.1') });
    await sql`update pgboss.job set start_after = now() where data->>'mail_id' = ${id}`.execute(app.database.db);
    await soonArrived('Looks like spam');
  });

  test('one to an address that does not exist is not tried again', async () => {
    smtp.refusals.unknown.add('nobody@example.com');
    await send('To nobody', { to: 'nobody@example.com' });
    await becomes('To nobody', 'refused');
    expect(await rowOf('To nobody')).toMatchObject({ tries: 1, answer: '550 5.1.1 <nobody@example.com> is nobody' });
  });

  test('one that is refused to the end is given up', async () => {
    smtp.refusals.data.push('4.7.1 never');
    await inTx(async (tx) => {
      await app.services.mail.send(tx, letter('Never'));
      // The last of its tries: nobody waits for all of them here.
      await sql`update pgboss.job set retry_limit = 0 where name = 'mail' and state = 'created'`.execute(tx);
    });
    await becomes('Never', 'given_up');
    expect((await rowOf('Never')).answer).toContain('4.7.1 never');
  });

  test('it is tried for about a day', async () => {
    const { rows } = await inRolledBack(async (tx) => {
      await app.services.mail.send(tx, letter('Patient'));
      return sql<{ retry_limit: number; retry_delay: number; retry_delay_max: number }>`
        select retry_limit, retry_delay, retry_delay_max from pgboss.job where name = 'mail' and state = 'created'`.execute(
        tx,
      );
    });
    const [job] = rows;
    if (!job) throw new Error('no job');
    const pauses = Array.from({ length: job.retry_limit }, (_, at) =>
      Math.min(job.retry_delay_max, job.retry_delay * 2 ** Math.min(16, at)),
    );
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThan(26);
  });

  async function inRolledBack<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const tx = await app.database.db.startTransaction().execute();
    try {
      return await work(tx);
    } finally {
      await tx.rollback().execute();
    }
  }

  test("line breaks in a subject do not become headers of the mail's own", async () => {
    await send('Split\r\nBcc: thief@example.com');
    await expect.poll(() => smtp.received.some(({ subject }) => subject.startsWith('Split')), patient).toBe(true);
    const mail = smtp.received.find(({ subject }) => subject.startsWith('Split'));
    expect(mail?.to).toEqual(['ada@example.com']);
    expect(Object.keys(mail?.headers ?? {})).not.toContain('bcc');
  });

  test('what people typed stays text, wherever it stands', async () => {
    const nasty = `<script>alert("1")</script>'&{{parts}}`;
    const content: MailContent = {
      subject: `Nasty ${nasty}`,
      parts: [
        nasty,
        { heading: nasty },
        { big: nasty },
        { words: nasty, link: `https://shop.example/?a="onclick='x'` },
        {
          lines: [
            { name: nasty, detail: nasty, value: nasty },
            { name: nasty, value: nasty, isTotal: true },
          ],
        },
        { facts: [[nasty, nasty]] },
      ],
    };
    await inTx((tx) => app.services.mail.send(tx, { ...letter('x'), content }));
    const { html = '', text = '' } = (await soonArrived(`Nasty ${nasty}`)) ?? {};
    expect(html).not.toContain('<script');
    expect(html).not.toContain(`"onclick`);
    expect(
      html.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;{{parts}}').length - 1,
    ).toBeGreaterThan(9);
    expect(text).toContain(nasty);
  });

  test('a secret link is sent, and stored nowhere', async () => {
    await app.request('POST', '/v1/auth/register/customer', {
      body: { name: 'Eve', email: 'eve@example.com', phone: '07700 900123', password: 'correct horse battery' },
    });
    await expect.poll(() => smtp.received.some(({ to }) => to.includes('eve@example.com')), patient).toBe(true);
    const mail = smtp.received.find(({ to }) => to.includes('eve@example.com'));
    const [, token = ''] = /#token=([\w-]{40,})/.exec(mail?.text ?? '') ?? [];
    expect(token).not.toBe('');
    expect(mail?.html).toContain(`#token=${token}`);
    await becomes(mail?.subject ?? '', 'sent');
    const rows = await sql`select m::text as mail from mails m union all select j::text from pgboss.job j`.execute(
      app.database.db,
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    const { id } = await rowOf(mail?.subject ?? '');
    const read = await app.request('GET', `/v1/mail/${id}`, { token: admin });
    expect(read.body.data.html).toContain('Confirm my address');
    expect(JSON.stringify(read.body)).not.toContain(token);
  });

  test('a link that nobody can use is not sent: there is no account with the address', async () => {
    await app.request('POST', '/v1/auth/forgot-password', { body: { email: 'stranger@example.com' } });
    await expect.poll(async () => (await list('search=stranger@example.com')).data[0]?.state, patient).toBe('dropped');
    expect(smtp.received.some(({ to }) => to.includes('stranger@example.com'))).toBe(false);
  });

  test('an owed mail with an id is queued once', async () => {
    const id = randomUUID();
    const owe = () =>
      inTx((tx) => app.services.mail.owe(tx, { id, kind: 'password_reset', about: { email: 'x@example.com' } }));
    await owe();
    await owe();
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from mails where id = ${id}`.execute(
      app.database.db,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('of two instances one sends it', async () => {
    const other = await startAppOn(app.database, app.shop, environment());
    const subjects = Array.from({ length: 20 }, (_, at) => `Shared ${at}`);
    await Promise.all(subjects.map((subject) => send(subject)));
    await expect
      .poll(() => smtp.received.filter(({ subject }) => subject.startsWith('Shared')).length, patient)
      .toBe(20);
    await expect.poll(async () => (await list('search=Shared&state=sent')).meta.total, patient).toBe(20);
    expect(new Set(smtp.received.filter(({ subject }) => subject.startsWith('Shared')).map(({ id }) => id)).size).toBe(
      20,
    );
    await other.stop();
  });

  test('mails are found by receiver, by order and by state', async () => {
    const { body } = await app.request('POST', '/v1/orders', {
      body: app.orderBody({ contact: { name: 'Zoë_Percent%', phone: '07700 900123', email: 'zoe@example.com' } }),
    });
    const orderId = body.data.id;
    await expect.poll(async () => (await list(`order_id=${orderId}`)).data[0]?.state, patient).toBe('sent');
    const found = async (query: string) => (await list(query)).data.map(({ to }: { to: string }) => to);
    expect(await found('search=ZOE@EX')).toEqual(['zoe@example.com']);
    expect(await found(`search=${encodeURIComponent('_percent%')}`)).toEqual(['zoe@example.com']);
    expect(await found(`search=${encodeURIComponent(`#${body.data.number}`)}`)).toEqual(['zoe@example.com']);
    expect(await found('search=ZOE&state=refused')).toEqual([]);
    expect(await found('search=%25%25')).toEqual([]);
    expect((await list()).smtp_server).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test.each(['en', 'pl'])('every kind can be previewed (%s)', async (locale) => {
    for (const kind of mailExampleKinds) {
      const query = `kind=${kind}&locale=${locale}`;
      const light = await app.request('GET', `/v1/mail-previews?${query}`, { token: admin });
      expect([kind, light.status]).toEqual([kind, 200]);
      const { subject, text, html } = light.body.data;
      expect(subject.length).toBeGreaterThan(5);
      expect(html).toContain(`<html lang="${locale}"`);
      expect(html).toContain('@media not all {');
      expect(text).not.toMatch(/undefined|null|\{|\}/);
      expect(html).not.toMatch(/undefined|\{\{/);
      const dark = await app.request('GET', `/v1/mail-previews?${query}&scheme=dark`, { token: admin });
      expect(dark.body.data.html).toContain('@media all {');
    }
  });

  test('a test goes to the owner who asks for it', async () => {
    const { status, body } = await app.request('POST', '/v1/mail-tests', {
      token: admin,
      body: { kind: 'order_accepted', locale: 'pl' },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ kind: 'test', state: 'queued', subject: expect.stringContaining('przyj') });
    const mail = await soonArrived(body.data.subject);
    expect(mail?.to).toEqual([body.data.to]);
  });

  test('what it said is removed after a month, and the mail after half a year', async () => {
    const day = 24 * 60 * 60_000;
    const old = await startTestApp();
    const add = (kind: MailKind, age: number) =>
      old.database.db
        .insertInto('mails')
        .values({
          id: randomUUID(),
          kind,
          state: 'sent',
          content: JSON.stringify(letter('Old').content),
          created_at: new Date(saturdayEvening.getTime() - age * day),
          ended_at: new Date(saturdayEvening.getTime() - age * day),
        })
        .execute();
    await add('test', 29);
    await add('dispute', 31);
    await add('other', 181);
    const forgetting = startMailRetention(old.services);
    await forgetting.sweep();
    await forgetting.stop();
    const rows = await old.database.db.selectFrom('mails').select(['kind', 'content']).orderBy('kind').execute();
    expect(rows.map(({ kind, content }) => [kind, content !== null])).toEqual([
      ['dispute', false],
      ['test', true],
    ]);
    await old.close();
  });
});

describe('a shop without one', () => {
  let app: TestApp;
  let admin: string;
  beforeAll(async () => {
    app = await startTestApp({}, { APP_URL: 'https://shop.example' });
    admin = await app.signIn('admin');
  });
  afterAll(() => app.close());
  const list = () => app.request('GET', '/v1/mail', { token: admin });
  const send = (subject: string) =>
    app.database.db.transaction().execute((tx) => app.services.mail.send(tx, letter(subject)));

  test('files each mail, and the admin reads them, newest first', async () => {
    expect((await list()).body).toMatchObject({ data: [], meta: { total: 0 }, smtp_server: null });
    for (const subject of ['One', 'Two']) {
      await send(subject);
      app.clock.now = new Date(app.clock.now.getTime() + 1_000);
    }
    await expect
      .poll(async () => (await list()).body.data.map(({ state }: { state: string }) => state), patient)
      .toEqual(['filed', 'filed']);
    const { data } = (await list()).body;
    expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(['Two', 'One']);
    expect(data[0]).not.toHaveProperty('text');
    const read = await app.request('GET', `/v1/mail/${data[0].id}`, { token: admin });
    expect(read.body.data).toMatchObject({ subject: 'Two', to: 'ada@example.com' });
    expect(read.body.data.from).toMatch(/<no-reply@shop\.example>$/);
    expect(read.body.data.text).toContain('Hello Ada,\n\n£9.50.\n');
    const files = await readdir(join(app.services.config.dataDir, 'mail'));
    expect(files.length).toBe(2);
    expect(files.every((name) => name.endsWith('.json'))).toBe(true);
  });

  test('a mail that is not there is not found', async () => {
    const unknown = await app.request('GET', '/v1/mail/019db1a0-0000-7000-8000-000000000000', { token: admin });
    expect(unknown.status).toBe(404);
  });
});
