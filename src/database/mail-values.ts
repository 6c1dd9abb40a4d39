export const orderMailKinds = [
  'placed',
  'accepted',
  'payment_failed',
  'promised',
  'ready',
  'on_its_way',
  'receipt',
  'changed',
  'rejected',
  'cancelled',
  'refunded',
  'refund_failed',
  'late_hold',
  'late_charge',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

export const mailKindOfOrderMail = (kind: OrderMailKind) => `order_${kind}` as const;

export const accountMailKinds = [
  'password_reset',
  'email_verification',
  'invitation',
  'account_exists',
  'new_device',
  'password_known',
  'password_changed',
  'sign_in_changed',
  'email_changed',
  'identity_connected',
  'identity_removed',
  'account_idle',
  'account_deleted',
] as const;
export type AccountMailKind = (typeof accountMailKinds)[number];

export const complaintMailKinds = ['complaint_received', 'complaint_answered'] as const;

/** The kinds of mails to the owner. All except `takings` and `boards_back` are alerts. */
export const ownerMailKinds = [
  'takings',
  'orders_waiting',
  'refund_failed',
  'dispute',
  'boards_lost',
  'boards_back',
  'capture_failed',
  'card_keys_refused',
  'disk_low',
  'backup_late',
  'complaint',
] as const;
export type OwnerMailKind = (typeof ownerMailKinds)[number];

/** All kinds of mails. `other`: queued by a version without kinds. */
export const mailKinds = [
  ...orderMailKinds.map(mailKindOfOrderMail),
  'account_link',
  ...accountMailKinds,
  ...complaintMailKinds,
  ...ownerMailKinds,
  'test',
  'other',
] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * The state of a mail. `filed`: written to a file, because there is no mail server. `retrying`: an attempt failed, and
 * another follows. `refused`: the recipient's address does not exist. `given_up`: every attempt failed for about a day.
 * `dropped`: the mail is stale or has no recipient, so it is not sent.
 */
export const mailStates = ['queued', 'retrying', 'sent', 'filed', 'refused', 'given_up', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];
