import type { ColumnType, Generated, JSONColumnType, Kysely, Transaction } from 'kysely';
import type {
  Allergens,
  Availability,
  ChargedFee,
  Closure,
  Contact,
  DeliveryAddress,
  DeliveryZone,
  Dietary,
  Discount,
  FollowUp,
  FulfilmentType,
  HistoryNote,
  Line,
  MenuChangeCall,
  OpeningEntry,
  OrderChannel,
  OrderMailKind,
  OrderStatus,
  OwedAct,
  PaymentFailure,
  PaymentMethod,
  PaymentState,
  PaymentStatus,
  PrintCopy,
  PrintStatus,
  ProviderName,
  ProviderState,
  RefundKind,
  RefundStatus,
  RefundedLine,
  RejectReason,
  SandboxRefusal,
  StoreAddress,
  VatRow,
} from '#database/column-types.ts';

/** Every table, on one page. The migrations beside it make them; the columns' meanings stand in the contract. */
export interface Schema {
  stores: StoresTable;
  users: UsersTable;
  sign_ins: SignInsTable;
  password_resets: PasswordResetsTable;
  email_verifications: EmailVerificationsTable;
  identities: IdentitiesTable;
  social_attempts: SocialAttemptsTable;
  throttles: ThrottlesTable;
  menus: MenusTable;
  categories: CategoriesTable;
  category_items: { category_id: string; item_id: string; position: number };
  items: ItemsTable;
  item_option_groups: {
    item_id: string;
    option_group_id: string;
    position: number;
    shown_when_option_id: string | null;
  };
  option_groups: OptionGroupsTable;
  option_group_options: { option_group_id: string; option_id: string; position: number; price: number | null };
  options: OptionsTable;
  menu_bin: MenuBinTable;
  orders: OrdersTable;
  order_history: OrderHistoryTable;
  order_calls: OrderCallsTable;
  order_mails: OrderMailsTable;
  order_watches: OrderWatchesTable;
  board_watches: BoardWatchesTable;
  order_numbers: { store_id: string; trading_day: string; last_number: number };
  channel_sequences: { channel: string; sequence: ColumnType<string, number, number> };
  payments: PaymentsTable;
  refunds: RefundsTable;
  payment_events: { provider: ProviderName; id: string; received_at: Date };
  sandbox_payments: SandboxPaymentsTable;
  sandbox_refunds: { idempotency_key: string; reference: string; amount: number; created_at: Time };
  prints: PrintsTable;
  outbox: OutboxTable;
  audit_log: AuditLogTable;
  app_releases: AppReleasesTable;
  menu_imports: MenuImportsTable;
  clock_watches: ClockWatchesTable;
  /** Keys this installation made for itself at its first start, shared by its instances. */
  installation_secrets: { name: string; value: string };
}

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** A jsonb column: objects out, JSON text in. */
type Json<T> = JSONColumnType<T & object, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
type Time = ColumnType<Date, Date | string, Date | string>;
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export interface StoresTable {
  id: string;
  name: string;
  slug: string;
  legal_name: Generated<string>;
  phone: Generated<string>;
  email: Generated<string>;
  address: Json<StoreAddress>;
  latitude: Generated<number>;
  longitude: Generated<number>;
  currency: Generated<string>;
  timezone: Generated<string>;
  day_starts_at: Generated<string>;
  operational_hours: Json<OpeningEntry[]>;
  closures: Json<Closure[]>;
  is_accepting_orders: Generated<boolean>;
  paused_until: NullableTime;
  pause_reason: string | null;
  busy_extra_minutes: Generated<number>;
  prep_minutes: Generated<number>;
  answer_minutes: Generated<number>;
  auto_accept: Generated<boolean>;
  last_order_minutes: Generated<number>;
  collection_enabled: Generated<boolean>;
  delivery_enabled: Generated<boolean>;
  delivery_zones: Json<DeliveryZone[]>;
  slot_minutes: Generated<number>;
  max_orders_per_slot: number | null;
  preorder_days: Generated<number>;
  payment_methods: Json<Record<FulfilmentType, PaymentMethod[]>>;
  cash_max: number | null;
  service_fee: Generated<number>;
  bag_fee: Generated<number>;
  vat_number: string | null;
  guest_checkout: Generated<boolean>;
  google_review_url: string | null;
  pause_when_unattended: Generated<boolean>;
  keep_guest_days: ColumnType<number | null, number | null | undefined, number | null>;
  receipt_header: Generated<string>;
  receipt_footer: Generated<string>;
  logo: string | null;
  accent_color: string | null;
  cover: string | null;
  company_number: string | null;
  /** A demo shop may take sandbox payments. */
  is_demo: Generated<boolean>;
  /** Written by `store/server/change-store.ts` alone. */
  version: ColumnType<number, never, never>;
  created_at: Generated<Date>;
  deleted_at: NullableTime;
}

export interface UsersTable {
  id: string;
  name: string;
  email: string;
  phone: Generated<string>;
  role: 'admin' | 'store_admin' | 'customer';
  password_hash: string | null;
  store_ids: Generated<string[]>;
  addresses: Json<DeliveryAddress[]>;
  allergies: Generated<string[]>;
  locale: Generated<string>;
  email_verified_at: NullableTime;
  created_at: Generated<Date>;
}

export interface SignInsTable {
  id: string;
  /** SHA-256 of the bearer token; the token itself is never stored. */
  token_hash: Buffer;
  user_id: string;
  user_agent: Generated<string>;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
}

export interface PasswordResetsTable {
  /** SHA-256 of the token in the mailed link; the token itself is never stored. */
  token_hash: Buffer;
  user_id: string;
  expires_at: Time;
}

export interface EmailVerificationsTable {
  /** SHA-256 of the token in the mailed link. */
  token_hash: Buffer;
  user_id: string;
  /** The address that the link went to: it confirms no other. */
  email: string;
  expires_at: Time;
}

/** Who a customer is at an OpenID provider. */
export interface IdentitiesTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: Time;
}

/** A sign-in at an OpenID provider that somebody has begun. */
export interface SocialAttemptsTable {
  state_hash: Buffer;
  /** SHA-256 of what the browser that began it keeps, so that no other one can end it. */
  secret_hash: Buffer;
  code_verifier: string;
  nonce: string;
  expires_at: Time;
}

/** Attempts by account or by address, which slow the next ones down. */
export interface ThrottlesTable {
  /** What is counted, e.g. `sign-in address 192.0.2.1`; an account's email only as a hash. */
  key: string;
  attempts: number;
  blocked_until: NullableTime;
  /** When the count is forgotten. */
  expires_at: Time;
}

export interface MenusTable {
  id: string;
  store_id: string;
  name: string;
  description: Generated<string>;
  is_active: Generated<boolean>;
  position: number;
  availability: NullableJson<Availability>;
}

export interface CategoriesTable {
  id: string;
  menu_id: string;
  name: string;
  description: Generated<string>;
  image: string | null;
  is_active: Generated<boolean>;
  position: number;
}

export interface ItemsTable {
  id: string;
  store_id: string;
  name: string;
  kitchen_name: string | null;
  description: Generated<string>;
  image: string | null;
  price: number;
  vat_rate: number;
  is_active: Generated<boolean>;
  is_available: Generated<boolean>;
  unavailable_until: NullableTime;
  allergens: NullableJson<Allergens>;
  dietary: Generated<Dietary[]>;
  spice_level: Generated<number>;
  min_age: number | null;
  prep_minutes: number | null;
  max_per_order: number | null;
  station: string | null;
  /** Deleted: hidden from everyone and in no list, kept for its orders. */
  deleted_at: NullableTime;
}

export interface OptionGroupsTable {
  id: string;
  store_id: string;
  name: string;
  min_select: number;
  max_select: number;
  free_select: Generated<number>;
  max_per_option: Generated<number>;
}

export interface OptionsTable {
  id: string;
  store_id: string;
  name: string;
  price: number;
  is_default: Generated<boolean>;
  is_available: Generated<boolean>;
  unavailable_until: NullableTime;
  vat_rate: number | null;
  allergens: NullableJson<Allergens>;
}

/** What was deleted from a menu, as it was, so that the deletion can be undone. */
export interface MenuBinTable {
  kind: 'menus' | 'categories' | 'items' | 'option_groups' | 'options';
  id: string;
  store_id: string;
  deleted_at: Time;
  /** The rows that went, by table. */
  content: Json<Record<string, Record<string, unknown>[]>>;
}

export interface OrdersTable {
  id: string;
  store_id: string;
  trading_day: string;
  number: number;
  version: number;
  channel: OrderChannel;
  placed_by: string | null;
  customer_id: string | null;
  session: string;
  /** SHA-256 of the request that made it: the same session with another body is refused. */
  request_hash: Buffer;
  status: OrderStatus;
  payment_status: PaymentStatus;
  payment_method: PaymentMethod;
  fulfilment_type: FulfilmentType;
  contact: Json<Contact>;
  address: NullableJson<DeliveryAddress>;
  requested_for: NullableTime;
  promised_at: NullableTime;
  prep_minutes: Generated<number>;
  /** The start of the slot whose capacity it takes, where the store limits slots. */
  slot_at: NullableTime;
  note: string;
  allergy_note: string;
  lines: Json<Line[]>;
  subtotal: number;
  discounts: Json<Discount[]>;
  fees: Json<ChargedFee[]>;
  tip: number;
  total: number;
  vat: Json<VatRow[]>;
  /** What was given back so far. */
  refunded: Generated<number>;
  reject_reason: RejectReason | null;
  /** What was done about an order that nobody answered in time. */
  followed_up: FollowUp | null;
  created_at: Time;
  placed_at: NullableTime;
  accepted_at: NullableTime;
  packed_at: NullableTime;
  left_at: NullableTime;
  completed_at: NullableTime;
  closed_at: NullableTime;
  /** While placed: when it is rejected as not answered. */
  answer_by: NullableTime;
  /** While pending_payment: when it expires. */
  expires_at: NullableTime;
  /** The language of the page that it was placed on. */
  locale: Generated<string>;
  /** When its customer's details were taken out, because they were kept long enough. */
  forgotten_at: NullableTime;
}

/** A call to an order under a key of its caller's, so that the same one again changes nothing. */
export interface OrderCallsTable {
  order_id: string;
  /** The user's id, or `session` for whoever holds the order's. */
  caller: Generated<string>;
  /** SHA-256 of the `Idempotency-Key`. */
  key: Buffer;
  /** SHA-256 of what was called, and with which body. */
  request: Buffer | null;
  /** False while a call that opens its own transactions is on its way. */
  is_made: Generated<boolean>;
  at: Time;
}

/** A mail to whoever placed an order; at most one of a kind, or of a refund. */
export interface OrderMailsTable {
  order_id: string;
  kind: OrderMailKind;
  /** Of a mail about a refund. */
  refund_id: string | null;
  owed_at: Time;
  /** What it is sent under, however often; null until it has a job. */
  mail_id: string | null;
  /** While it is being sent, by the database's clock: when another try may begin. */
  sending_until: NullableTime;
  /** When it was sent, or found to be old news or without a receiver. */
  ended_at: NullableTime;
}

export interface OrderWatchesTable {
  order_id: string;
  /** When somebody at a board acknowledged its alarm. */
  heard_at: NullableTime;
  /** When the owner was told that it waits. */
  warned_at: NullableTime;
}

/** What a machine's clock was trusted to be, and how far it has jumped since. */
export interface ClockWatchesTable {
  machine: string;
  boot: string;
  trusted_offset: number | null;
  ahead_seconds: number | null;
}

/** What is known of a store's order boards, by whichever instance they are connected to. */
export interface BoardWatchesTable {
  store_id: string;
  /** When a board that is switched on was last seen. */
  seen_at: NullableTime;
  /** Since when there is none, once the owner was told; null: all is well. */
  lost_at: NullableTime;
  /** The end of the pause that was made for want of a board. */
  paused_until: NullableTime;
  /** When the owner was last told that orders wait. */
  warned_at: NullableTime;
}

export interface OrderHistoryTable {
  order_id: string;
  version: number;
  from_status: OrderStatus | null;
  to_status: OrderStatus;
  /** customer, guest, system, or a staff member's name. */
  actor: string;
  actor_id: string | null;
  /** What a person wrote, or a code of the contract's. Where there is a note, it is what counts. */
  reason: Generated<string | null>;
  note: ColumnType<HistoryNote | null, string | null | undefined, string | null>;
  at: Time;
}

/** One attempt to pay an order by card. At most one of an order is pending and not yet to be released. */
export interface PaymentsTable {
  id: string;
  order_id: string;
  provider: ProviderName;
  status: PaymentState;
  amount: number;
  currency: string;
  /** The provider's own id of it; null until the provider has answered. */
  reference: string | null;
  redirect_url: string | null;
  failure: PaymentFailure | null;
  /** What the shop still has to bring about at the provider. */
  owed: OwedAct | null;
  /** When to ask the provider again, should nobody have heard by then; null when nothing is awaited. */
  check_at: NullableTime;
  created_at: Time;
  updated_at: Time;
}

/** Money given back of an order that was paid. The failed ones moved none. */
export interface RefundsTable {
  id: string;
  store_id: string;
  order_id: string;
  /** The payment it goes back through; null where it is given back by hand. */
  payment_id: string | null;
  /** The client's own: the same key is the same refund. */
  key: string;
  status: RefundStatus;
  amount: number;
  currency: string;
  /** The part of it that was tip, and so outside VAT. */
  tip: Generated<number>;
  vat: Json<VatRow[]>;
  lines: Json<RefundedLine[]>;
  kind: Generated<RefundKind>;
  /** What somebody wrote, where it was asked for. */
  reason: string;
  actor: string;
  actor_id: string | null;
  /** Each try by hand has a key of its own at the provider. */
  attempts: Generated<number>;
  /** The day it was made, which reports count it on. */
  trading_day: string;
  /** While pending: when the sweep looks after it. */
  check_at: NullableTime;
  created_at: Time;
  settled_at: NullableTime;
}

/** What the sandbox provider, standing in for a payment company, knows of a payment. */
export interface SandboxPaymentsTable {
  reference: string;
  idempotency_key: string;
  merchant_id: string;
  merchant_name: string;
  amount: number;
  currency: string;
  description: string;
  return_url: string;
  state: ProviderState;
  refunded: Generated<number>;
  /** What it will say no to later, as its payer chose on its page. */
  refuses: SandboxRefusal | null;
  created_at: Time;
}

export interface PrintsTable {
  id: string;
  store_id: string;
  order_id: string | null;
  copy: PrintCopy;
  status: PrintStatus;
  due_at: Time;
  /** The receiptline source, once it was made. */
  source: string | null;
  error: string | null;
  created_at: Time;
  printed_at: NullableTime;
}

/** Versions of the app; withdrawn ones stay for the record. */
export interface AppReleasesTable {
  id: string;
  platform: string;
  version: string;
  download_url: string;
  sha256: string;
  size: ColumnType<string, number, number>;
  notes: string;
  created_at: Time;
  withdrawn_at: NullableTime;
}

/** A file's changes of the menu, made in the background as one. */
export interface MenuImportsTable {
  id: string;
  store_id: string;
  created_by: string | null;
  file_name: string;
  state: 'waiting' | 'done' | 'failed' | 'undoing' | 'undone';
  changes: Json<MenuChangeCall[]>;
  /** What takes them back. */
  undo: Json<MenuChangeCall[]>;
  total: number;
  done: Generated<number>;
  error: string | null;
  failed_change: number | null;
  created_at: Time;
  finished_at: NullableTime;
}

/** Realtime events that a committed change still owes its listeners. */
export interface OutboxTable {
  id: Generated<string>;
  topic: 'order' | 'print' | 'store' | 'menu';
  event: string;
  store_id: string;
  subject_id: string;
  sequence: ColumnType<string | null, number | null, never>;
}

export interface AuditLogTable {
  id: string;
  at: Time;
  actor_id: string | null;
  actor: string;
  role: string;
  store_id: string | null;
  /** The endpoint's key, e.g. `POST /v1/orders/{id}/accept`. */
  action: string;
  subject_id: string | null;
  /** The request's body, secrets and personal details left out. */
  detail: NullableJson<Record<string, unknown>>;
  request_id: string;
}
