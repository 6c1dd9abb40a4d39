import type { Shop } from '#testing/running-shop.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { expectAccessible } from './accessible.ts';
import { openOffice } from './office.ts';
import { approvePayment, moveOrder, type Placed, readOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

/** An order that was paid by card, accepted and charged. */
async function chargedOrder(shop: Shop): Promise<Placed> {
  const order = await sendOrder(shop, { payment_method: 'card' });
  await approvePayment(shop, order);
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  await expect.poll(async () => (await readOrder(shop, order)).payment_status).toBe('paid');
  return order;
}

test('the owner sees that the money is right, what is not, and asks the provider', async ({ shop, window }) => {
  const { id, number } = await chargedOrder(shop);
  const change = (statement: string) =>
    onDatabaseOf(shop.dataDir, async (client) => void (await client.query(statement, [id])));
  const page = await openOffice(shop, await window(), '/admin/payments');
  await page.getByText('Checks', { exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The money is right' })).toBeVisible();
  await expect(page.getByText(/^The last one came on /)).toBeVisible();
  await expectAccessible(page, 'checks, all well');

  await change(`update orders set status = 'cancelled' where id = $1`);
  await page.getByRole('button', { name: 'Check again' }).click();
  const wrong = page.getByRole('alert').filter({ hasText: 'One order does not agree with its money' });
  await expect(wrong).toContainText(`Order ${number}`);
  await expect(wrong).toContainText('and the order costs £0.00');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'checks, an order is wrong, on a phone');
  await change(`update orders set status = 'accepted' where id = $1`);

  // A refund that was made at the provider, and of which no message came.
  await change(`
    update sandbox_payments set refunded = 100
    where reference = (select reference from payments where order_id = $1)`);
  await wrong.getByRole('button', { name: `Open order ${number}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Check with the provider' }).click();
  await expect(page.getByText('Something was missed. This page is up to date now.')).toBeVisible();
  await expect(dialog).toContainText('£1.00: Refunded');
  await expectAccessible(page, 'the payment of an order, on a phone');
  await dialog.getByRole('button', { name: 'Check with the provider' }).click();
  await expect(page.getByText('The provider says the same as this page.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The money is right' })).toBeVisible();

  await change(`update payment_movements set amount = 1 where order_id = $1 and kind = 'captured'`);
  await page.getByRole('button', { name: 'Check again' }).click();
  const changed = page.getByRole('alert').filter({ hasText: 'The payment records were changed' });
  await expect(changed).toContainText(/Movements of money, entry \d+: it was changed/);
});
