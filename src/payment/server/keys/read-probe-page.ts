import { m } from '#messages';
import type { KeyServices } from '#payment/server/keys/services.ts';
import type { ProbePage } from '#payment/server/stripe/open-probe-page.ts';

/** Reads the content of the page that the shop opens to check whether customers' pages open. */
export async function readProbePage(
  services: Pick<KeyServices, 'config' | 'db' | 'menus' | 'now'>,
): Promise<ProbePage> {
  const { config, db, menus, now } = services;
  const shop = await menus.store(db);
  const { id, name, currency } = shop?.store ?? { id: '', name: 'Hatch', currency: 'GBP' };
  return {
    currency,
    merchant: { id, name },
    words: {
      dish: m.payment_setup_trial_name(),
      discount: m.payment_setup_trial_name(),
      note: m.payment_note_held({ shop: name }),
    },
    returnUrl: `${config.publicUrl}/admin/payments/setup`,
    now: now(),
  };
}
