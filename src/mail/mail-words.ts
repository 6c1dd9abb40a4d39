import { m } from '#messages';
import type { MailKind, MailState } from '#database/mail-values.ts';

const forReaderOnly: ReadonlySet<MailKind> = new Set(['password_reset', 'email_verification']);

/**
 * Whether only the recipient may read mails of this kind, because their link opens the recipient's account. The office
 * never shows such a mail's content.
 */
export function isForRecipientOnly(kind: MailKind): boolean {
  return forReaderOnly.has(kind);
}

export const mailStateWords: Record<MailState, () => string> = {
  queued: m.mail_state_queued,
  retrying: m.mail_state_retrying,
  sent: m.mail_state_sent,
  filed: m.mail_state_filed,
  refused: m.mail_state_refused,
  given_up: m.mail_state_given_up,
  dropped: m.mail_state_dropped,
};

export const mailStateHints: Record<MailState, () => string> = {
  queued: m.mail_state_queued_hint,
  retrying: m.mail_state_retrying_hint,
  sent: m.mail_state_sent_hint,
  filed: m.mail_state_filed_hint,
  refused: m.mail_state_refused_hint,
  given_up: m.mail_state_given_up_hint,
  dropped: m.mail_state_dropped_hint,
};

export const mailKindWords: Record<MailKind, () => string> = {
  order_placed: m.mail_kind_order_placed,
  order_accepted: m.mail_kind_order_accepted,
  order_payment_failed: m.mail_kind_order_payment_failed,
  order_changed: m.mail_kind_order_changed,
  order_promised: m.mail_kind_order_promised,
  order_ready: m.mail_kind_order_ready,
  order_on_its_way: m.mail_kind_order_on_its_way,
  order_rejected: m.mail_kind_order_rejected,
  order_cancelled: m.mail_kind_order_cancelled,
  order_refunded: m.mail_kind_order_refunded,
  order_refund_failed: m.mail_kind_order_refund_failed,
  order_receipt: m.mail_kind_order_receipt,
  order_late_hold: m.mail_kind_order_late_hold,
  order_late_charge: m.mail_kind_order_late_charge,
  account_link: m.mail_kind_account_link,
  password_reset: m.mail_kind_password_reset,
  email_verification: m.mail_kind_email_verification,
  invitation: m.mail_kind_invitation,
  account_exists: m.mail_kind_account_exists,
  new_device: m.mail_kind_new_device,
  password_known: m.mail_kind_password_known,
  password_changed: m.mail_kind_password_changed,
  sign_in_changed: m.mail_kind_sign_in_changed,
  email_changed: m.mail_kind_email_changed,
  identity_connected: m.mail_kind_identity_connected,
  identity_removed: m.mail_kind_identity_removed,
  account_idle: m.mail_kind_account_idle,
  account_deleted: m.mail_kind_account_deleted,
  complaint_received: m.mail_kind_complaint_received,
  complaint_answered: m.mail_kind_complaint_answered,
  takings: m.mail_kind_takings,
  orders_waiting: m.mail_kind_orders_waiting,
  refund_failed: m.mail_kind_refund_failed,
  dispute: m.mail_kind_dispute,
  boards_lost: m.mail_kind_boards_lost,
  boards_back: m.mail_kind_boards_back,
  capture_failed: m.mail_kind_capture_failed,
  card_keys_refused: m.mail_kind_card_keys_refused,
  disk_low: m.mail_kind_disk_low,
  backup_late: m.mail_kind_backup_late,
  complaint: m.mail_kind_complaint,
  test: m.mail_kind_test,
  other: m.mail_kind_other,
};

/**
 * Whether a mail server's answer says that it refuses the user name or password in `SMTP_URL` (RFC 4954). Such a server
 * takes no mail at all.
 */
export function isSmtpSignInRefused(answer: string): boolean {
  return /^(53[45][ -]|5\d\d[ -]5\.7\.8\b)/.test(answer);
}
