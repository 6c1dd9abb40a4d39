/** What a mail is about. */
export type MailKind = (typeof mailKinds)[number];

/** Those to customers about an order, those about an account, those to the owner, a test, and what an earlier version queued. */
export const mailKinds = [
  'order_placed',
  'order_accepted',
  'order_changed',
  'order_promised',
  'order_ready',
  'order_on_its_way',
  'order_rejected',
  'order_cancelled',
  'order_refunded',
  'order_receipt',
  'order_late_hold',
  'order_late_charge',
  'account_link',
  'password_reset',
  'email_verification',
  'invitation',
  'new_device',
  'password_changed',
  'email_changed',
  'identity_connected',
  'identity_removed',
  'account_deleted',
  'orders_waiting',
  'refund_failed',
  'dispute',
  'boards_lost',
  'boards_back',
  'capture_failed',
  'card_keys_refused',
  'disk_low',
  'test',
  'other',
] as const;

/**
 * What became of a mail. `filed`: written to a file, for want of a mail server. `retrying`: refused for now. `refused`: its
 * receiver does not exist. `given_up`: refused for a day. `dropped`: there was nothing to say any more, or nobody to say it to.
 */
export type MailState = (typeof mailStates)[number];
export const mailStates = ['queued', 'retrying', 'sent', 'filed', 'refused', 'given_up', 'dropped'] as const;

/** What a mail to an order's customer is about. */
export type OrderMailKind =
  | 'placed'
  | 'accepted'
  | 'changed'
  | 'promised'
  | 'ready'
  | 'on_its_way'
  | 'rejected'
  | 'cancelled'
  | 'refunded'
  | 'receipt'
  | 'late_hold'
  | 'late_charge';
