import { z } from 'zod';
import { Id, Instant, SingleAnswer } from '#platform/http/shapes.ts';

/** A browser's subscription from `PushSubscription.toJSON()`, with keys in base64url. */
export const PushSubscription = z.object({
  endpoint: z.string().min(1).max(1000),
  keys: z.object({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

export const PushDevice = z.object({
  id: Id,
  user_agent: z.string(),
  /** Whether the device is notified about all orders that its account places. */
  own_orders: z.boolean(),
  /** Whether the device is notified about unanswered new orders while no order board is switched on. */
  new_orders: z.boolean(),
  created_at: Instant,
  /** When the device's push service last accepted a message; null: never. */
  sent_at: Instant.nullable(),
  /** Whether the device belongs to the caller's own sign-in. */
  is_current: z.boolean(),
});
export type PushDevice = z.infer<typeof PushDevice>;

/** Notifications that reach browsers even while no page is open (RFC 8030). */
export const pushEndpoints = {
  'GET /v1/push/key': {
    access: 'guest',
    summary: 'The key that a browser subscribes with (RFC 8292); null while this server cannot send.',
    response: SingleAnswer(z.object({ public_key: z.string().nullable() })),
  },
  'GET /v1/push/devices': {
    access: 'customer',
    summary: "List the caller's devices that are notified, the newest first.",
    response: SingleAnswer(z.array(PushDevice)),
  },
  'POST /v1/push/devices': {
    access: 'customer',
    summary:
      'Notify this device: of the own orders, for staff of new ones. The same endpoint again changes what it is told.',
    body: z.object({
      subscription: PushSubscription,
      own_orders: z.boolean().optional(),
      new_orders: z.boolean().optional(),
    }),
    response: SingleAnswer(PushDevice),
    errors: ['forbidden'],
  },
  'DELETE /v1/push/devices/{id}': {
    access: 'customer',
    summary: 'Notify this device no more.',
    response: null,
  },
  'POST /v1/push/devices/{id}/test': {
    access: 'customer',
    summary: 'Send a test notification to one of the own devices, at most every ten seconds.',
    response: null,
  },
} as const;
