import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectSmtp, MailRefusedError } from '#mail/server/send-mail.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';

let smtp: MailServer;
beforeAll(async () => {
  smtp = await startMailServer();
});
afterAll(() => smtp.stop());

const mail = {
  id: '019a0000-0000-7000-8000-000000000001',
  to: 'ada@example.com',
  shopName: 'Nonna’s',
  replyTo: null,
  logo: null,
  rendered: { subject: 'Your order', text: 'Thank you.', html: '<p>Thank you.</p>' },
};
/** Both reach the server, which offers no encryption; only one is certainly this machine. */
const sendTo = async (host: string) => {
  const server = connectSmtp(smtp.url.replace('127.0.0.1', host), { APP_URL: 'https://shop.example', dataDir: '' });
  await server.send(mail).finally(() => server.close());
};

test('a mail server elsewhere that offers no encryption gets no mail', async () => {
  await sendTo('127.0.0.1');
  expect(smtp.received).toHaveLength(1);
  await expect(sendTo('0.0.0.0')).rejects.toThrow('command not recognized');
  expect(smtp.received).toHaveLength(1);
});

test.each([
  ['535 5.7.8 Username and Password not accepted', { isSignIn: true, isPolicy: false }],
  ['535-5.7.8 Username and Password not accepted', { isSignIn: true, isPolicy: false }],
  ['535 5.7.3 Authentication unsuccessful', { isSignIn: true, isPolicy: false }],
  ['535 Incorrect authentication data', { isSignIn: true, isPolicy: false }],
  ['534-5.7.9 Application-specific password required', { isSignIn: true, isPolicy: false }],
  ['550 5.7.1 looks like spam', { isSignIn: false, isPolicy: true }],
  ['530 5.7.0 Must issue a STARTTLS command first', { isSignIn: false, isPolicy: true }],
  ['454 4.7.0 Temporary authentication failure', { isSignIn: false, isPolicy: false }],
  ['550 5.1.1 nobody', { isSignIn: false, isPolicy: false }],
])('the answer %s', (answer, kind) => {
  expect(new MailRefusedError(answer, false, null)).toMatchObject(kind);
});
