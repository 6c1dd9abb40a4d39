import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const message = { to: 'ada@example.com', fromName: 'Small Shop', subject: 'Grüße', text: 'Hello Ada,\n\n£9.50.\n' };

describe('a shop with an SMTP server', () => {
  const received: { from: string; to: string[]; user: string; source: string }[] = [];
  let refuseNext = 0;
  let smtp: SMTPServer;
  let app: TestApp;
  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (refuseNext > 0) {
            refuseNext -= 1;
            return done(Object.assign(new Error('try again later'), { responseCode: 451 }));
          }
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            user: String(session.user),
            source: Buffer.concat(chunks).toString(),
          });
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    const address = smtp.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    app = await startTestApp(
      {},
      { SMTP_URL: `smtp://shop:secret@127.0.0.1:${port}`, MAIL_FROM: 'Small Shop <orders@shop.example>' },
    );
  });
  afterAll(async () => {
    await app.close();
    await new Promise<void>((resolve) => smtp.close(resolve));
  });
  const send = (subject: string) =>
    app.database.db.transaction().execute((tx) => app.services.mail.send(tx, { ...message, subject }));
  const arrived = (subject: string) => received.filter(({ source }) => source.includes(subject));

  test('a mail owed in a transaction arrives, from the address that the settings name', async () => {
    await send('First');
    await expect.poll(() => arrived('First').length, { timeout: 10_000 }).toBe(1);
    expect(arrived('First')[0]).toMatchObject({ from: 'orders@shop.example', to: ['ada@example.com'], user: 'shop' });
    expect(arrived('First')[0]?.source).toMatch(/^From: Small Shop <orders@shop\.example>\r$/m);
  });

  test('the admin is told where mail goes, without the password', async () => {
    const { body } = await app.request('GET', '/v1/mail', { token: await app.signIn('admin') });
    expect(body.smtp_server).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('a mail of a transaction that is undone is never sent', async () => {
    const undone = app.database.db.transaction().execute(async (tx) => {
      await app.services.mail.send(tx, { ...message, subject: 'Undone' });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await send('After the undone one');
    await expect.poll(() => arrived('After the undone one').length, { timeout: 10_000 }).toBe(1);
    expect(arrived('Undone')).toEqual([]);
  });

  test('a mail that the server refuses for now is sent again', async () => {
    refuseNext = 1;
    await send('Second try');
    await expect.poll(() => arrived('Second try').length, { timeout: 15_000 }).toBe(1);
    expect(refuseNext).toBe(0);
  });

  test("line breaks in a subject do not become headers of the mail's own", async () => {
    await send('Split\r\nBcc: thief@example.com');
    await expect.poll(() => arrived('Split').length, { timeout: 10_000 }).toBe(1);
    expect(arrived('Split')[0]?.to).toEqual(['ada@example.com']);
    expect(arrived('Split')[0]?.source).not.toMatch(/^Bcc:/m);
  });
});

describe('a shop without one', () => {
  let folder: string;
  let app: TestApp;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hatch-mail-'));
    app = await startTestApp({}, { DATA_DIR: folder, APP_URL: 'https://shop.example' });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('files each mail, and the admin reads them, newest first', async () => {
    const admin = await app.signIn('admin');
    const list = () => app.request('GET', '/v1/mail', { token: admin });
    expect((await list()).body).toMatchObject({ data: [], meta: { total: 0 }, smtp_server: null });
    for (const subject of ['One', 'Two']) {
      await app.database.db.transaction().execute((tx) => app.services.mail.send(tx, { ...message, subject }));
    }
    await expect.poll(async () => (await list()).body.meta.total, { timeout: 10_000 }).toBe(2);
    const { data } = (await list()).body;
    expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(['Two', 'One']);
    expect(data[0]).not.toHaveProperty('text');
    expect(data[0]).toMatchObject({ from: 'Small Shop <no-reply@shop.example>', to: 'ada@example.com' });
    const read = await app.request('GET', `/v1/mail/${data[0].id}`, { token: admin });
    expect(read.body.data).toMatchObject({ subject: 'Two', text: message.text, at: '2026-11-21T18:00:00.000Z' });
    expect((await readdir(join(folder, 'mail'))).every((name) => name.endsWith('.json'))).toBe(true);
  });

  test('a mail that is not there is not found', async () => {
    const admin = await app.signIn('admin');
    const unknown = await app.request('GET', '/v1/mail/019db1a0-0000-7000-8000-000000000000', { token: admin });
    expect(unknown.status).toBe(404);
  });
});
