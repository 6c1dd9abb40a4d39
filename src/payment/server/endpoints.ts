import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { loadOrders, presentOrder, type WholeOrder } from '#ordering/server/present-order.ts';
import { relationTo } from '#ordering/server/relation.ts';
import type { payment } from '#payment/contract.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { Services } from '#services.ts';

export function paymentEndpoints({ payments }: Services): Handlers<typeof payment, Db> {
  return {
    'POST /v1/orders/{id}/payment/reconcile': async ({ db, params, viewer, orderSession, now }) => {
      const before = await readOrder(db, params.id);
      const relation = relationTo(before.row, viewer, orderSession);
      if (relation === 'stranger') {
        throw viewer.role === 'guest'
          ? new AppError('unauthenticated', 'Unauthenticated.')
          : new AppError('forbidden', m.platform_forbidden());
      }
      await payments.reconcile(params.id);
      const role = relation === 'staff' ? viewer.role : 'customer';
      return { data: presentOrder(await readOrder(db, params.id), role, now, { withSession: relation === 'owner' }) };
    },

    'POST /v1/payments/webhooks/{provider}': async ({ params, rawBody, header }) => {
      await payments.receiveWebhook(params.provider, rawBody, header);
      return { received: true };
    },
  };
}

async function readOrder(db: Db, id: string): Promise<WholeOrder> {
  const [order] = await loadOrders(db, [id]);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  return order;
}
