import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectSmtp } from '#mail/server/smtp.ts';
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
