import { sql } from 'kysely';
import { m } from '#messages';
import { type AlertServices, alertOwner } from '#alerts/server/alert-owner.ts';
import type { Db } from '#database/schema.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { inTransaction } from '#database/transaction.ts';
import { faultWords } from '#printing/printer-rules.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';

type Services = AlertServices & { db: Db; config: { publicUrl: string }; menus: Pick<ShopCache, 'store'> };

/** A fault is reported only after this time (s), because staff open the cover briefly to change the roll. */
const lastsFor = 60;

/**
 * Reports each lasting printer fault, except `busy`, once to ALERT_WEBHOOK_URL. Boards and the office show faults at
 * once.
 */
export function printerFaultAlerts(services: Services): DueWork<string[]> {
  const { config } = services;
  return {
    name: 'printer faults',
    due: (now) =>
      config.ALERT_WEBHOOK_URL === undefined
        ? sql`array[]::text[]`
        : sql`array(
            select id::text from printers
            where deleted_at is null and fault is not null and fault <> 'busy' and fault_told is distinct from fault_since
              and fault_since <= ${now}::timestamptz - make_interval(secs => ${lastsFor}))`,
    work: async (ids) => {
      for (const id of ids) await tell(services, id);
    },
  };
}

async function tell(services: Services, id: string): Promise<void> {
  await inTransaction(services.db, async (tx) => {
    const told = await tx
      .updateTable('printers')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where('fault', 'is not', null)
      // The condition prevents a second report by another instance.
      .where((eb) => eb('fault_told', 'is distinct from', eb.ref('fault_since')))
      .set((eb) => ({ fault_told: eb.ref('fault_since') }))
      .returning(['name', 'fault', 'fault_detail', 'store_id'])
      .executeTakeFirst();
    const known = told && (await services.menus.store(tx, told.store_id));
    if (!told?.fault || !known) return;
    const { name: printer, fault, fault_detail: detail } = told;
    const { id: storeId, name: shop } = known.store;
    await alertOwner(tx, services, () => ({
      kind: 'printer_fault',
      store: { id: storeId, name: shop },
      subject: m.printing_alert_subject({ printer, shop }),
      text: faultWords(fault, detail),
      link: { words: m.printing_alert_open(), link: `${services.config.publicUrl}/admin/printers` },
    }));
  });
}
