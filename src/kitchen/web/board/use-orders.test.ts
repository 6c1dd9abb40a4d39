import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, createElement } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHookRoot } from '#testing/web/hook-stage.ts';
import { type StoreOrders, useStoreOrders } from '#kitchen/web/board/use-orders.ts';
import type { Order } from '#ordering/order.ts';
import { aStore } from '#ordering/testing/samples.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';

const store = aStore();
const [first, second] = [sampleOrder({ id: crypto.randomUUID() }), sampleOrder({ id: crypto.randomUUID() })];
let root: Root;
let client: QueryClient;
let board: StoreOrders;
/** The open orders that the server has, and the answers that are on their way with the orders of when they were asked for. */
let open: Order[];
let answers: (() => void)[];

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://shop.example/kitchen'));
  vi.stubGlobal('localStorage', { getItem: () => null });
  [open, answers] = [[], []];
  vi.stubGlobal('fetch', (url: string) => {
    const data = /status=[^&]*placed/.test(String(url)) ? [...open] : [];
    const meta = { current_page: 1, last_page: 1, per_page: 200, total: data.length, total_is_exact: true };
    return new Promise((resolve) => answers.push(() => resolve(Response.json({ data, meta }))));
  });
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  root = createHookRoot();
});

afterEach(async () => {
  await act(async () => root.unmount());
  client.clear();
  vi.unstubAllGlobals();
});

const show = () =>
  act(async () =>
    root.render(
      createElement(
        QueryClientProvider,
        { client },
        createElement(function Board() {
          board = useStoreOrders(store);
          return null;
        }),
      ),
    ),
  );
/** The three lists of one fetch: open, lost and done. */
const asked = () => vi.waitUntil(() => answers.length === 3, { timeout: 30_000, interval: 5 });
const answerAll = () =>
  act(async () => {
    for (const answer of answers.splice(0)) answer();
  });
const shown = () => [...board.orders.keys()].toSorted();

test('an order that is heard while the first list is on its way stays', async () => {
  open = [first];
  await show();
  await asked();
  await act(async () => board.learn(second));
  await answerAll();
  await expect.poll(shown).toEqual([first.id, second.id].toSorted());
});

test('a first list that was asked for before the board could hear is fetched again', async () => {
  open = [first];
  await show();
  await asked();
  open = [first, second];
  await act(async () => board.refetch());
  await expect
    .poll(async () => {
      await answerAll();
      return shown();
    })
    .toEqual([first.id, second.id].toSorted());
});
