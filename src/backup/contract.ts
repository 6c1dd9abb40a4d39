import { z } from 'zod';
import { Order } from '#ordering/order.ts';
import { SinceCopy, UnknownPayment } from '#payment/since-copy.ts';
import { Id, Instant, SingleAnswer } from '#platform/http/shapes.ts';

/** An order that is open in the restored backup. The original shop may have finished it after the backup. */
const OpenOrder = Order.pick({
  status: true,
  payment_status: true,
  payment_method: true,
  fulfilment_type: true,
  total: true,
  placed_at: true,
}).extend({ id: Id, store_id: Id, number: z.int(), name: z.string() });
export type OpenOrder = z.infer<typeof OpenOrder>;

export const Restored = z.object({
  restored_at: Instant,
  copy_number: z.int(),
  copy_made_at: Instant,
  /** When the owner continued the shop; null: the shop is held, so it takes no orders and does no due work. */
  continued_at: Instant.nullable(),
  open_orders: z.array(OpenOrder),
  /**
   * How many queued mails, prints and alerts the backup contained. The original shop may have sent them after the
   * backup.
   */
  waiting: z.object({ mails: z.int(), prints: z.int(), alerts: z.int() }),
  /** Payments, refunds and disputes that the providers have recorded since the backup. */
  since_copy: SinceCopy,
});
export type Restored = z.infer<typeof Restored>;

export const BackupCopy = z.object({
  number: z.int(),
  made_at: Instant,
  bytes: z.int(),
  /**
   * `good`: a trial restore matched the shop. `damaged`: it did not. `unproven`: no trial restore has succeeded yet.
   */
  state: z.enum(['unproven', 'good', 'damaged']),
  /** Why the backup is not `good`; null: it is `good`, or its trial restore is not done yet. */
  reason: z.enum(['no_room', 'failed', 'interrupted', 'damaged']).nullable(),
  /** The technical reason in English, for the machine's administrator. */
  detail: z.string().nullable(),
});
export type BackupCopy = z.infer<typeof BackupCopy>;

export const Backups = z.object({
  /** `late`: for 26 hours no good backup was made. `none_yet`: the first good backup is missing, but not late. */
  state: z.enum(['none_yet', 'good', 'late']),
  /** When the last good backup was made; null: never. */
  good_at: Instant.nullable(),
  /** Whether encrypted backups are sent to a second backup location. */
  has_second_place: z.boolean(),
  /** The second backup location; null: none is set. */
  second_place: z
    .object({
      /** A folder's path, or `s3://bucket/prefix`. */
      to: z.string(),
      /** `failing`: the last sending failed. `late`: for 26 hours no backup was sent. */
      state: z.enum(['good', 'failing', 'late']),
      /** When the last backup was sent; null: never. */
      sent_at: Instant.nullable(),
      /** Why the last sending failed, or which earlier backups lack files; null: there is no such problem. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** The step of the running backup; null: no backup is running or requested. */
  running: z.object({ step: z.enum(['waiting', 'copying', 'proving', 'sending']), began_at: Instant }).nullable(),
  /** Why the last ended attempt made no good backup; null: it made one, or there was no attempt. */
  problem: BackupCopy.pick({ detail: true })
    .extend({ at: Instant, reason: BackupCopy.shape.reason.unwrap() })
    .nullable(),
  /** The backups, newest first. */
  copies: z.array(BackupCopy),
});
export type Backups = z.infer<typeof Backups>;

export const backupEndpoints = {
  'GET /v1/backups': {
    access: 'admin',
    summary: 'List the nightly backups in the data folder, and whether a good one is recent.',
    response: SingleAnswer(Backups),
  },
  'POST /v1/backups': {
    access: 'admin',
    summary:
      'Make a backup now. It is made after the answer; `GET /v1/backups` shows its progress. While one is being made, no other begins.',
    response: SingleAnswer(Backups),
  },
  'GET /v1/restored': {
    access: 'admin',
    summary: 'Read whether this shop was made from a copy, what was open in it, and whether it waits for its owner.',
    response: SingleAnswer(Restored.nullable()),
  },
  'POST /v1/restored/continue': {
    access: 'admin',
    summary:
      'Let a restored shop take orders and do its work again. What waited to be sent when the copy was made is dropped, unless `waiting` is `send`.',
    body: z.object({ waiting: z.enum(['drop', 'send']).default('drop') }),
    response: SingleAnswer(Restored.nullable()),
  },
  'POST /v1/restored/ask': {
    access: 'admin',
    summary:
      'Ask the payment providers again for every payment, refund and dispute since the copy. They are asked by themselves when a shop is restored.',
    response: SingleAnswer(SinceCopy),
  },
  'POST /v1/restored/payments/{id}/refund': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Give a payment back whose order is not in the copy: a charge is refunded, a hold is released, and an open page is closed. A repeated call gives nothing back twice.',
    response: SingleAnswer(UnknownPayment),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
} as const;
