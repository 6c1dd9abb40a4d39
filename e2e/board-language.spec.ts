import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openBoard, ticket } from './board.ts';
import { sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

const wordsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`src/kitchen/messages.${language}.json`, 'utf8')) as Record<string, string>;
const [english, turkish] = [wordsOf('en'), wordsOf('tr')];

/** The visible English texts of messages that Turkish says otherwise. */
async function englishLeft(board: Page): Promise<string[]> {
  const texts = new Set(
    Object.keys(english).flatMap((key) => {
      const text = english[key] ?? '';
      return text.includes('{') || text === turkish[key] || text.length < 4 ? [] : [text];
    }),
  );
  const shown = (await board.locator('body').innerText()).split('\n').map((line) => line.trim());
  return shown.filter((line) => texts.has(line));
}

async function chooseLanguage(board: Page, settings: string, language: string): Promise<void> {
  await board.getByRole('button', { name: settings, exact: true }).click();
  await board.getByRole('button', { name: language, exact: true }).click();
}

test('a cook chooses the language of their tablet, and keeps it without a connection', async ({ shop, window }) => {
  const turkishBoard = await openBoard(shop, await window(), { path: '/kitchen' });
  const other = await openBoard(shop, await window(), { path: '/kitchen' });
  const asked: string[] = [];
  turkishBoard.on('request', (request) => asked.push(request.url()));

  await chooseLanguage(turkishBoard, 'This screen', 'Türkçe');
  const sheet = turkishBoard.getByRole('dialog');
  await expect(sheet.getByRole('heading', { name: 'Panonun dili' })).toBeVisible();
  await expect(sheet.getByText(/^Makine çevirisi/)).toBeVisible();
  await expect(turkishBoard.locator('html')).toHaveAttribute('lang', 'tr');
  expect(asked.filter((url) => /\/(pl|zh-Hans)-[\w-]+\.json$/.test(url))).toEqual([]);
  expect(asked.filter((url) => /\/tr-[\w-]+\.json$/.test(url))).toHaveLength(1);
  await expectAccessible(turkishBoard);
  await turkishBoard.keyboard.press('Escape');

  const order = await sendOrder(shop, { allergies: ['peanuts'] });
  await expect(ticket(turkishBoard, order).getByRole('button', { name: /^Kabul et/ })).toBeVisible();
  await expect(ticket(turkishBoard, order)).toContainText('Kaçındığı: yer fıstığı (peanuts)');
  await expect(ticket(other, order).getByRole('button', { name: /^Accept/ })).toBeVisible();
  expect(await englishLeft(turkishBoard)).toEqual([]);
  await expectAccessible(turkishBoard);

  await turkishBoard.getByRole('button', { name: /^Kabul et/ }).click();
  await expect(ticket(other, order).getByRole('button', { name: /^Packed/ })).toBeVisible();
  await expect(ticket(turkishBoard, order).getByRole('button', { name: 'Paketlendi' })).toBeVisible();

  await turkishBoard.reload();
  await expect(ticket(turkishBoard, order).getByRole('button', { name: 'Paketlendi' })).toBeVisible();
  await expect(turkishBoard).toHaveTitle(turkish['kitchen_board_title'] ?? '');

  await turkishBoard.context().setOffline(true);
  await ticket(turkishBoard, order).getByRole('button', { name: 'Paketlendi' }).click();
  await expect(turkishBoard.getByText('1 işlem henüz gönderilmedi')).toBeVisible();
  await chooseLanguage(turkishBoard, 'Bu ekran', 'English');
  await expect(turkishBoard.getByText('1 action is not sent yet')).toBeVisible();
  await turkishBoard.getByRole('button', { name: 'Türkçe', exact: true }).click();
  await expect(turkishBoard.getByText('1 işlem henüz gönderilmedi')).toBeVisible();
  await turkishBoard.context().setOffline(false);
  await expect(ticket(other, order)).not.toContainText('Packed');

  await chooseLanguage(other, 'This screen', '简体中文');
  await other.keyboard.press('Escape');
  await expect(other.getByRole('heading', { name: '制作中' })).toBeVisible();
  await sendOrder(shop, { allergies: ['peanuts'] });
  for (const board of [turkishBoard, other]) {
    if (board === turkishBoard) await board.keyboard.press('Escape');
    await expect(board.locator('[data-ticket]').filter({ hasText: 'peanuts' }).first()).toBeVisible();
    for (const width of [390, 1024]) {
      await board.setViewportSize({ width, height: 768 });
      await expectAccessible(board);
      await board.screenshot({ path: test.info().outputPath(`${board === other ? 'zh' : 'tr'}-${width}.png`) });
    }
  }

  // The office stays English on every device.
  await turkishBoard.goto('/store/orders');
  await expect(turkishBoard.getByRole('button', { name: 'End shift' })).toBeVisible();
});
