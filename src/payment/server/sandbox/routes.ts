import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { m } from '#messages';
import { sandboxPagePolicy, renderSandboxPage } from '#payment/server/sandbox/page.ts';
import { sandboxRefusals } from '#payment/server/sandbox/refunds.ts';
import {
  webhookDeliveryModes,
  sandboxOutcomes,
  type SandboxOutcome,
  type SandboxPayment,
} from '#payment/server/sandbox/sandbox.ts';
import { AppError } from '#platform/errors.ts';
import { parseInput } from '#platform/http/parse.ts';
import type { PaymentHandlerServices } from '#payment/server/services.ts';

const address = '/sandbox/pay/:reference';
const Choice = z.object({
  outcome: z.enum(Object.keys(sandboxOutcomes) as [SandboxOutcome, ...SandboxOutcome[]]),
  delivery: z.enum(webhookDeliveryModes).default('at_once'),
  refuses: z.enum(['nothing', ...sandboxRefusals]).default('nothing'),
});

/**
 * Serves the sandbox's payment page. Answers 404 for a shop that does not use the sandbox now, even if a payment was
 * begun there before.
 */
export function serveSandbox(
  app: FastifyInstance,
  { menus, payments: { sandbox } }: Pick<PaymentHandlerServices, 'menus' | 'payments'>,
): void {
  const find = async (reference: string): Promise<SandboxPayment> => {
    const payment = await sandbox.find(reference);
    const shop = payment && (await menus.shop(payment.merchant_id));
    if (!payment || shop?.store.card_provider !== 'sandbox') throw new AppError('not_found', m.platform_not_found());
    return payment;
  };

  app.get<{ Params: { reference: string } }>(address, async (request, reply) => {
    const payment = await find(request.params.reference);
    return secured(reply, payment).type('text/html; charset=utf-8').send(renderSandboxPage(payment));
  });

  app.post<{ Params: { reference: string } }>(address, async (request, reply) => {
    const payment = await find(request.params.reference);
    const { outcome, delivery, refuses } = parseInput(Choice, request.body);
    await sandbox.conclude(payment.reference, outcome, delivery, refuses === 'nothing' ? null : refuses);
    return secured(reply, payment).redirect(payment.return_url, 303);
  });
}

/**
 * Adds headers so that the page is not cached or framed, and its address is not sent to other sites. Without a cache,
 * the Back button shows the payment's current state.
 */
function secured(reply: FastifyReply, payment: SandboxPayment): FastifyReply {
  return reply.headers({
    'content-security-policy': sandboxPagePolicy(payment),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
}
