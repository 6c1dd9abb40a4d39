import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { inTransaction, withStatementTimeout } from '#database/transaction.ts';
import type { Db, SandboxPaymentsTable, Tx } from '#database/schema.ts';
import type { ProviderPayment, ProviderState } from '#payment/payment-state.ts';
import { ProviderRefusal, type CheckoutRequest, type PaymentProvider } from '#payment/server/provider.ts';
import { refundSandboxPayment, type SandboxRefusal, toProviderPayment } from '#payment/server/sandbox/refunds.ts';
import { signatureHeader, signWebhook, verifyWebhook } from '#payment/server/sandbox/webhook.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';

export type SandboxPayment = Selectable<SandboxPaymentsTable>;

/** The payer's choices on the sandbox's page, each with the state that follows. */
export const sandboxOutcomes = { approve: 'authorised', decline: 'declined', walk_away: 'abandoned' } as const;
export type SandboxOutcome = keyof typeof sandboxOutcomes;
export const webhookDeliveryModes = ['at_once', 'late', 'twice', 'never'] as const;
export type WebhookDeliveryMode = (typeof webhookDeliveryModes)[number];

export interface SandboxOptions {
  db: Db;
  installationKeys: InstallationKeys;
  jobs: Jobs;
  now: () => Date;
  /** The origin at which payers reach the sandbox's page; empty: the page's address is relative. */
  origin: string;
  /** The address for the sandbox's webhooks: the shop's server, as this process reaches it. */
  webhookUrl: () => string;
}

/** A simulated payment company, which moves no money. The shop uses it only as a PaymentProvider. */
export interface Sandbox extends PaymentProvider {
  find(reference: string): Promise<SandboxPayment | null>;
  /** Applies the payer's choice, once: a second choice, from a double click or the Back button, changes nothing. */
  conclude(
    reference: string,
    outcome: SandboxOutcome,
    delivery: WebhookDeliveryMode,
    refuses?: SandboxRefusal | null,
  ): Promise<void>;
  /** Sends queued webhooks, until `jobs` stops. */
  startDelivering(): Promise<void>;
}

const queue = 'sandbox.webhook';
const lateBy = 20_000;
type Message = { id: string; type: string; reference: string };

/**
 * Runs database work with a longer statement timeout, because a payment company may take longer than the shop's own
 * database.
 */
function withProviderTimeout<T>(work: () => Promise<T>): Promise<T> {
  return withStatementTimeout(15_000, work);
}

export function createSandbox({ db, installationKeys, jobs, now, origin, webhookUrl }: SandboxOptions): Sandbox {
  const secret = installationKeys.secret('hatch sandbox messages');
  return {
    name: 'sandbox',
    async createCheckout(request) {
      const payment = await withProviderTimeout(() => openPayment(db, request, now()));
      return { reference: payment.reference, redirectUrl: `${origin}/sandbox/pay/${payment.reference}` };
    },
    fetch: (reference) => withProviderTimeout(() => read(db, reference)),
    capture: (reference, _key, amount) =>
      withProviderTimeout(async () => {
        const payment = await findPayment(db, reference);
        if (payment?.refuses === 'capture') throw new ProviderRefusal('the bank says no');
        if (payment && amount > payment.amount)
          throw new ProviderRefusal(`only ${payment.amount} of it are authorised`);
        return move(db, reference, ['authorised'], 'captured', amount);
      }),
    void: (reference) => withProviderTimeout(() => move(db, reference, ['open', 'authorised'], 'voided')),
    refund: (reference, key, amount) =>
      withProviderTimeout(() => refundSandboxPayment(db, { reference, key, amount, now: now() })),
    async readWebhook(rawBody, header, at) {
      return verifyWebhook(rawBody, header(signatureHeader) ?? '', secret, at);
    },
    find: (reference) => findPayment(db, reference),
    async conclude(reference, outcome, delivery, refuses = null) {
      await inTransaction(db, async (tx) => {
        const state = sandboxOutcomes[outcome];
        const closed = await close(tx, reference, state, refuses);
        if (closed) await oweMessages(tx, jobs, { reference, type: `payment.${closed}` }, delivery, now());
      });
    },
    startDelivering: () =>
      jobs.work<Message>(queue, async (message) => {
        const body = JSON.stringify(message);
        const answer = await fetch(webhookUrl(), {
          method: 'POST',
          headers: { 'content-type': 'application/json', [signatureHeader]: signWebhook(body, secret, now()) },
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(10_000),
        });
        if (!answer.ok) throw new Error(`the webhook was answered ${answer.status}`);
      }),
  };
}

async function openPayment(db: Db, request: CheckoutRequest, now: Date): Promise<SandboxPayment> {
  await db
    .insertInto('sandbox_payments')
    .values({
      // Anyone who knows the reference can pay or decline, so it must not be guessable.
      reference: `sbx_${randomBytes(18).toString('base64url')}`,
      idempotency_key: request.idempotencyKey,
      merchant_id: request.merchant.id,
      merchant_name: request.merchant.name,
      amount: request.amount,
      currency: request.currency,
      description: request.description,
      return_url: request.returnUrl,
      state: 'open',
      is_held: request.isHeld,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .execute();
  const payment = await db
    .selectFrom('sandbox_payments')
    .selectAll()
    .where('idempotency_key', '=', request.idempotencyKey)
    .executeTakeFirstOrThrow();
  if (payment.amount !== request.amount || payment.currency !== request.currency) {
    throw new ProviderRefusal('this key was used for another amount');
  }
  return payment;
}

async function findPayment(db: Db, reference: string): Promise<SandboxPayment | null> {
  const payment = await db
    .selectFrom('sandbox_payments')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  return payment ?? null;
}

async function read(db: Db, reference: string): Promise<ProviderPayment> {
  const payment = await findPayment(db, reference);
  if (!payment) throw new ProviderRefusal('there is no such payment');
  return toProviderPayment(payment);
}

/** Changes a payment's state in one statement, so that two callers cannot both change it. A repeated call succeeds. */
async function move(
  db: Db,
  reference: string,
  from: readonly ProviderState[],
  to: ProviderState,
  captured?: number,
): Promise<ProviderPayment> {
  const moved = await db
    .updateTable('sandbox_payments')
    .set({ state: to, ...(captured !== undefined && { captured }) })
    .where('reference', '=', reference)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();
  const payment = moved ? toProviderPayment(moved) : await read(db, reference);
  if (payment.state !== to) throw new ProviderRefusal(`a payment that is ${payment.state} cannot become ${to}`);
  return payment;
}

/**
 * Sets the state that the payer chose for an open payment, and returns it. An approved payment that is not held is
 * captured at once. null: the payment was not open any more.
 */
async function close(
  tx: Tx,
  reference: string,
  state: ProviderState,
  refuses: SandboxRefusal | null,
): Promise<ProviderState | null> {
  const open = await tx
    .selectFrom('sandbox_payments')
    .select(['amount', 'is_held'])
    .where('reference', '=', reference)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();
  if (!open) return null;
  const isCharged = state === 'authorised' && !open.is_held;
  const after = isCharged ? 'captured' : state;
  await tx
    .updateTable('sandbox_payments')
    .set({ state: after, refuses, ...(isCharged && { captured: open.amount }) })
    .where('reference', '=', reference)
    .execute();
  return after;
}

async function oweMessages(
  tx: Tx,
  jobs: Jobs,
  about: Omit<Message, 'id'>,
  delivery: WebhookDeliveryMode,
  now: Date,
): Promise<void> {
  if (delivery === 'never') return;
  const message: Message = { id: `evt_${randomBytes(12).toString('hex')}`, ...about };
  const options = delivery === 'late' ? { startAfter: new Date(now.getTime() + lateBy) } : {};
  for (let copies = delivery === 'twice' ? 2 : 1; copies > 0; copies -= 1) await jobs.send(tx, queue, message, options);
}
