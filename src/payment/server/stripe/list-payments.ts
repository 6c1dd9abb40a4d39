import type { Stripe } from 'stripe';
import type { ListedPayment, ProviderListPage } from '#payment/server/provider.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import {
  type KeyModeAndAccount,
  stripeMetadataNames,
  readStripeSession,
  stripeSessionExpand,
  stripeIdOf,
} from '#payment/server/stripe/read-session.ts';
import { isUuid } from '#platform/uuid.ts';

/** The rows per answer. Stripe allows more, but each session includes its charge and refunds. */
const limit = 50;
const expand = stripeSessionExpand.map((path) => `data.${path}`);

/**
 * Lists only the sessions whose metadata contain a payment id. Other systems may use the same Stripe account, so their
 * sessions are left out.
 */
export async function listCheckoutSessions(
  stripe: Stripe,
  keys: KeyModeAndAccount,
  since: Date,
  after: string | null,
): Promise<ProviderListPage<ListedPayment>> {
  const page = await askStripe(stripe.checkout.sessions.list({ ...pageSince(since, after), expand }));
  const rows: ListedPayment[] = [];
  for (const session of page.data) {
    const paymentId = session.metadata?.[stripeMetadataNames.payment] ?? '';
    if (!isUuid(paymentId)) continue;
    await readAllRefunds(stripe, session);
    const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
    rows.push({
      paymentId,
      reference: session.id,
      description: intent?.description ?? null,
      createdAt: new Date(session.created * 1000),
      is: readStripeSession(session, keys),
    });
  }
  return { rows, next: nextOf(page) };
}

export async function listRefundedIntents(
  stripe: Stripe,
  since: Date,
  after: string | null,
): Promise<ProviderListPage<string>> {
  const page = await askStripe(stripe.refunds.list(pageSince(since, after)));
  return { rows: page.data.flatMap((refund) => stripeIdOf(refund.payment_intent) ?? []), next: nextOf(page) };
}

function pageSince(since: Date, after: string | null) {
  return {
    created: { gte: Math.floor(since.getTime() / 1000) },
    limit,
    ...(after !== null && { starting_after: after }),
  };
}

function nextOf({ data, has_more }: { data: { id: string }[]; has_more: boolean }): string | null {
  return has_more ? (data.at(-1)?.id ?? null) : null;
}

/** Reads all refunds of a session's charge, because the charge in a session has only its ten newest refunds. */
export async function readAllRefunds(
  stripe: Stripe,
  { payment_intent: intent }: Stripe.Checkout.Session,
): Promise<void> {
  const charge = typeof intent === 'object' ? intent?.latest_charge : null;
  if (!intent || !charge || typeof charge === 'string' || !charge.refunds?.has_more) return;
  const all = stripe.refunds.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 10_000 });
  charge.refunds.data = await askStripe(all);
}
