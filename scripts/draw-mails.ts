import { mkdir, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import type { MailKind } from '#database/mail-values.ts';
import { mailExampleKinds } from '#mail/contract.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { openShop } from '#testing/running-shop.ts';
import { findChromium } from './find-chromium.ts';

/**
 * Draws the mails of docs/mail.md: `npm run make -- mails`. The shop sends each mail through a real SMTP server. Each
 * received mail is drawn in two languages and at two widths, 320 and 600 pixels. The mail of an accepted order is also
 * drawn on a dark screen. Arguments choose kinds of mails.
 */
const folder = 'docs/mails';
const wanted = process.argv.slice(2);
const shown: readonly MailKind[] = [
  'order_placed',
  'order_accepted',
  'order_promised',
  'order_ready',
  'order_on_its_way',
  'order_rejected',
  'order_cancelled',
  'order_refunded',
  'order_refund_failed',
  'order_receipt',
  'password_reset',
  'invitation',
  'new_device',
  'sign_in_changed',
  'complaint_received',
  'takings',
  'orders_waiting',
  'refund_failed',
  'dispute',
];
const smtp = await startMailServer();
const shop = await openShop({ SMTP_URL: smtp.url, APP_URL: 'https://coalfinch.example' }, ['--demo']);
const browser = await chromium.launch({ executablePath: findChromium(console.log, { isWhole: false }) });
await mkdir(folder, { recursive: true });
let sum = 0;
for (const kind of mailExampleKinds.filter((each) => (wanted.length > 0 ? wanted : shown).includes(each))) {
  for (const locale of ['en', 'pl']) {
    const before = smtp.received.length;
    await shop.api('POST', '/v1/mail-tests', { kind, locale }, shop.adminToken);
    while (smtp.received.length === before) await new Promise((resolve) => setTimeout(resolve, 50));
    const html = smtp.received.at(-1)?.html ?? '';
    for (const width of [320, 600]) {
      await draw(html, `${kind}-${locale}-${width}`, { width, scheme: 'light' });
    }
    if (kind === 'order_accepted') await draw(html, `${kind}-${locale}-dark`, { width: 600, scheme: 'dark' });
  }
}
await browser.close();
await shop.stop();
await smtp.stop();
console.log(`${folder}: ${Math.round(sum / 1024)} KB`);

async function draw(html: string, name: string, { width, scheme }: { width: number; scheme: 'light' | 'dark' }) {
  const page = await browser.newPage({ viewport: { width, height: 400 }, colorScheme: scheme });
  await page.setContent(html);
  const png = await sharp(await page.screenshot({ fullPage: true }))
    .png({ palette: true, colours: 64 })
    .toBuffer();
  await page.close();
  await writeFile(`${folder}/${name}.png`, png);
  sum += png.length;
}
