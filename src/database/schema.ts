import type {
  AuditOutcome,
  BankEntryKind,
  ComplaintState,
  ComplaintSubject,
  ConsentKind,
  PrinterCoverState,
  DeviceKind,
  Dietary,
  DisputeStatus,
  FollowUp,
  FulfilmentType,
  ImportState,
  KeySource,
  MovementKind,
  OrderChannel,
  OrderStatus,
  PendingProviderAction,
  PaidBy,
  PaperState,
  PauseCause,
  PaymentEventOutcome,
  PaymentFailure,
  PaymentMethod,
  PaymentMode,
  PaymentState,
  PaymentStatus,
  PayoutStatus,
  Pricing,
  PrintCopy,
  PrinterKind,
  PrintFault,
  PrintPurpose,
  PrintStatus,
  ProviderState,
  PushNews,
  ReceiptSize,
  RefundKind,
  RefundStatus,
  RejectReason,
  SandboxRefusal,
  SignInKind,
  SignInProblem,
  SignInPurpose,
  StaffRole,
  UserRole,
} from '#database/column-values.ts';
import type { MailKind, MailState, OrderMailKind } from '#database/mail-values.ts';
import type { ColumnType, Generated, JSONColumnType, Kysely, Transaction } from 'kysely';
import type {
  AllergenAnswers,
  Allergens,
  ApkFacts,
  Availability,
  ChargedFee,
  Closure,
  Contact,
  DeliveryAddress,
  DeliveryZone,
  DeviceState,
  Discount,
  HistoryNote,
  KeyedProviderName,
  KeyProblem,
  KeyTrial,
  Line,
  MenuChangeCall,
  OpeningEntry,
  ProviderName,
  RefundedLine,
  RefusedPage,
  RemovedLine,
  StoreAddress,
  VatRow,
} from '#database/column-types.ts';

/** Every table, on one page. The migrations create them; the contract explains the columns. */
export interface Schema {
  stores: StoresTable;
  first_evenings: FirstEveningsTable;
  users: UsersTable;
  account_activity: AccountActivityTable;
  sign_ins: SignInsTable;
  known_devices: KnownDevicesTable;
  passkeys: PasskeysTable;
  passkey_attempts: { challenge: string; user_id: string | null; expires_at: Time };
  totp_secrets: TotpSecretsTable;
  /** One nonce for the codes that were made together. */
  recovery_codes: { user_id: string; nonce: Buffer; code_hash: Buffer };
  password_resets: PasswordResetsTable;
  email_verifications: EmailVerificationsTable;
  identities: IdentitiesTable;
  social_attempts: SocialAttemptsTable;
  social_codes: SocialCodesTable;
  given_names: GivenNamesTable;
  sign_in_providers: SignInProvidersTable;
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
  order_origins: OrderOriginsTable;
  mails: MailsTable;
  account_links: AccountLinksTable;
  order_watches: OrderWatchesTable;
  board_watches: BoardWatchesTable;
  order_search: OrderSearchTable;
  /** Every name of an order; triggers on `order_search` maintain it. Two rows may have the same name. */
  order_names: NameTable;
  /** Names that orders have lost, before the sweep. */
  order_names_left: NameTable;
  customer_sums: CustomerSumsTable;
  takings: TakingsTable;
  takings_months: TakingsMonthsTable;
  takings_changes: TakingsChangesTable;
  /** A store's last trading day whose takings mail was sent or is not due. */
  takings_mails: { store_id: string; mailed_to: string };
  order_numbers: { store_id: string; trading_day: string; last_number: number };
  channel_sequences: { channel: string; sequence: ColumnType<string, number, number> };
  payments: PaymentsTable;
  refunds: RefundsView;
  refund_requests: RefundRequestsTable;
  refund_attempts: RefundAttemptsTable;
  payment_events: PaymentEventsTable;
  payment_key_sets: PaymentKeySetsTable;
  payment_customers: { user_id: string; key_set: string; customer: string; created_at: Time };
  payment_movements: PaymentMovementsTable;
  payment_payouts: PaymentPayoutsTable;
  payment_bank_entries: PaymentBankEntriesTable;
  payment_disputes: PaymentDisputesTable;
  /** How many unsigned or wrongly signed webhooks came in an hour. */
  payment_refused_webhooks: { hour: Time; count: number };
  sandbox_payments: SandboxPaymentsTable;
  sandbox_refunds: { idempotency_key: string; reference: string; amount: number; created_at: Time };
  printers: PrintersTable;
  prints: PrintsTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  push_follows: PushFollowsTable;
  outbox: OutboxTable;
  audit_log: AuditLogTable;
  audit_search: AuditSearchTable;
  audit_details: AuditDetailsTable;
  audit_chain: AuditChainTable;
  /** Lines without a position; a trigger maintains it. */
  audit_unchained: { at: ColumnType<Date, never, never>; id: ColumnType<string, never, never> };
  /** One row: the last position of the removed old lines. */
  audit_start: {
    is_only: ColumnType<boolean, never, never>;
    position: ColumnType<string, never, never>;
    hash: ColumnType<Buffer, never, never>;
  };
  app_files: AppFilesTable;
  app_installs: AppInstallsTable;
  app_play_signing: AppPlaySigningTable;
  app_releases: AppReleasesTable;
  devices: DevicesTable;
  device_codes: DeviceCodesTable;
  complaints: ComplaintsTable;
  consents: ConsentsTable;
  menu_imports: MenuImportsTable;
  clock_watches: ClockWatchesTable;
  /** Values that all instances share, and no secrets, in spite of its name (`installation-values.ts`). */
  installation_secrets: { name: string; value: string };
  instances: InstancesTable;
  restores: RestoresTable;
  /** One row, which every copy of the shop has too. */
  installation: { is_only: Generated<boolean>; shop_id: Generated<string> };
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
  /** Whether a person has said that the pin is at the shop. */
  location_confirmed: Generated<boolean>;
  currency: Generated<string>;
  timezone: Generated<string>;
  day_starts_at: Generated<string>;
  operational_hours: Json<OpeningEntry[]>;
  closures: Json<Closure[]>;
  is_accepting_orders: Generated<boolean>;
  paused_until: NullableTime;
  pause_reason: string | null;
  /** Why the shop paused by itself; null: people paused it. */
  pause_cause: PauseCause | null;
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
  max_open_orders_per_person: ColumnType<number | null, number | null | undefined, number | null>;
  max_orders_per_address_hour: ColumnType<number | null, number | null | undefined, number | null>;
  service_fee: Generated<number>;
  bag_fee: Generated<number>;
  vat_number: string | null;
  guest_checkout: Generated<boolean>;
  google_review_url: string | null;
  pause_when_unattended: Generated<boolean>;
  mails_takings: Generated<boolean>;
  keep_guest_days: ColumnType<number | null, number | null | undefined, number | null>;
  keep_idle_account_months: ColumnType<number | null, number | null | undefined, number | null>;
  keep_audit_months: Generated<number>;
  receipt_header: Generated<string>;
  receipt_footer: Generated<string>;
  logo: string | null;
  accent_color: string | null;
  cover: string | null;
  company_number: string | null;
  allergens_text: Generated<string>;
  receipt_kitchen_size: Generated<ReceiptSize>;
  receipt_customer_size: Generated<ReceiptSize>;
  receipt_shows_logo: Generated<boolean>;
  receipt_shows_map_code: Generated<boolean>;
  receipt_shows_order_code: Generated<boolean>;
  /** A demo shop may take sandbox payments. */
  is_demo: Generated<boolean>;
  /** The real card provider whose keys the shop has, if they can be used. */
  card_provider: KeyedProviderName | null;
  /** A real provider's, even if they cannot be used now; permanent after the first real card. */
  has_card_keys: Generated<boolean>;
  /** Written by `store/server/change-store.ts` alone. */
  version: ColumnType<number, never, never>;
  created_at: Time;
  deleted_at: NullableTime;
}

/** A store whose owner sees the onboarding list. */
export interface FirstEveningsTable {
  store_id: string;
}

/** Where an order came from, for an hour's limits; deleted after a day. */
export interface OrderOriginsTable {
  order_id: string;
  store_id: string;
  /** A keyed digest of the network. */
  network: string;
  placed_at: Time;
}

export interface UsersTable {
  id: string;
  name: string;
  email: string;
  phone: Generated<string>;
  role: UserRole;
  password_hash: string | null;
  store_ids: Generated<string[]>;
  addresses: Json<DeliveryAddress[]>;
  allergies: Generated<string[]>;
  locale: Generated<string>;
  email_verified_at: NullableTime;
  /** The place of staff that a customer has when they open the invitation's link; as JSON. */
  invited: ColumnType<InvitedPlace | null, string | null | undefined, string | null>;
  created_at: Time;
}

export interface InvitedPlace {
  name: string;
  role: StaffRole;
  store_ids: string[];
}

/** When each account was last used, to the hour; triggers on `users` and `sign_ins` maintain it. */
export interface AccountActivityTable {
  user_id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  /** When its owner was warned of the deletion; null again after a sign-in. */
  warned_at: NullableTime;
}

/** A complaint and its answer; both empty once the person is erased. */
export interface ComplaintsTable {
  id: string;
  /** Told to its sender: `C-` and eight characters. */
  reference: string;
  /** The sender's own key: a repeat is the same complaint. */
  key: string;
  created_at: Time;
  about: ComplaintSubject;
  order_number: string | null;
  name: string;
  email: string;
  locale: string;
  message: string;
  user_id: string | null;
  status: Generated<ComplaintState>;
  answer: Generated<string>;
  answered_by: Generated<string>;
  answered_at: NullableTime;
  /** When the owner was told that its time is nearly over. */
  reminded_at: NullableTime;
  /** Its person's account is deleted: the person is erased from it once it is answered. */
  forgets: Generated<boolean>;
  forgotten_at: NullableTime;
}

/** The consents of people with an account, with their words; deleted with the account. */
export interface ConsentsTable {
  id: Generated<string>;
  user_id: string;
  kind: ConsentKind;
  page: string | null;
  words: Generated<string>;
  device: Generated<string>;
  /** A trigger on `push_subscriptions` ends the consents of a device. */
  subscription_id: string | null;
  given_at: Time;
  withdrawn_at: NullableTime;
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
  /** When the person last proved, in it, who they are; null for sign-ins of an earlier version. */
  proven_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  known_device_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface PasskeysTable {
  id: string;
  user_id: string;
  /** The browser's id of it, in base64url. */
  credential_id: string;
  public_key: Buffer;
  /** How often its authenticator says it was used; 0 where it does not count. */
  counter: ColumnType<string, number, number>;
  transports: Generated<string[]>;
  name: string;
  created_at: Time;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** The secret of an authenticator app; encrypted, or in a file if `sealed` is null. */
export interface TotpSecretsTable {
  id: string;
  user_id: string;
  sealed: Buffer | null;
  created_at: Time;
  /** Null until a code has proved that the app has it. */
  confirmed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Of the last code that was used, in half minutes. */
  last_step: Generated<number>;
}

/** Where a person has signed in. */
export interface KnownDevicesTable {
  id: string;
  user_id: string;
  /** SHA-256 of the token that the device keeps; several accounts may be used on one device. */
  token_hash: Buffer;
  user_agent: string;
  created_at: Time;
  signed_in_at: Time;
  /** Since then it counts as new again. */
  forgotten_at: NullableTime;
}

export interface PasswordResetsTable {
  /** SHA-256 of the token in the mailed link; the token itself is never stored. */
  token_hash: Buffer;
  user_id: string;
  expires_at: Time;
  /** Whether it also accepts its customer's invitation. */
  is_invitation: Generated<boolean>;
}

export interface EmailVerificationsTable {
  /** SHA-256 of the token in the mailed link. */
  token_hash: Buffer;
  user_id: string;
  /** The address that the link was sent to, and the only one that it confirms. */
  email: string;
  expires_at: Time;
}

/** The customer's account at a sign-in provider. */
export interface IdentitiesTable {
  id: Generated<string>;
  issuer: string;
  subject: string;
  user_id: string;
  /** The address there at the last sign-in; null if the provider gave none. */
  email: string | null;
  created_at: Time;
}

/** A sign-in provider that was set up in the office. */
export interface SignInProvidersTable {
  id: string;
  kind: SignInKind;
  /** On its button. */
  name: string;
  issuer: string;
  client_id: string;
  /** Apple: the names of the shop's team, and of its key. */
  team_id: string | null;
  key_id: string | null;
  /** Its secrets, encrypted by SECRETS_KEY; null: in a file of the data folder. */
  sealed: Buffer | null;
  /** Whether customers can use it. */
  is_on: Generated<boolean>;
  /** When the owner last signed in with it to try it, since its details last changed. */
  tried_at: NullableTime;
  /** The failure that should not occur, and its beginning; cleared by the next success. */
  problem: SignInProblem | null;
  problem_since: NullableTime;
  created_at: Time;
}

/** An unfinished sign-in at a sign-in provider. */
export interface SocialAttemptsTable {
  state_hash: Buffer;
  /** SHA-256 of the secret in the browser that began it, so that no other browser can finish it. */
  secret_hash: Buffer;
  code_verifier: string;
  nonce: string;
  /** An id of `sign_in_providers`, or `environment`. */
  provider: Generated<string>;
  purpose: Generated<SignInPurpose>;
  /** The person who connects an identity, or tries a provider. */
  user_id: string | null;
  /** The S256 challenge of the app that the sign-in is for. */
  app_challenge: string | null;
  /** The name that the provider posted with its answer: Apple does so once. */
  given_name: string | null;
  expires_at: Time;
}

/** One-time codes by which the app takes over a sign-in that was made in the browser. */
export interface SocialCodesTable {
  /** SHA-256 of the code. */
  code_hash: Buffer;
  user_id: string;
  /** The S256 challenge: only who knows its verifier can use the code. */
  challenge: string;
  expires_at: Time;
}

/** Names that a provider gave once, of people who have no account yet. */
export interface GivenNamesTable {
  issuer: string;
  subject: string;
  name: string;
  expires_at: Time;
}

/** Attempts by account or by address, which delay further attempts. */
export interface ThrottlesTable {
  /** The name of the counter, e.g. `sign-in address 192.0.2.1`; an account's email only as a hash. */
  key: string;
  attempts: number;
  blocked_until: NullableTime;
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
  /** Answers so far, or all fourteen while nobody has confirmed them. */
  allergen_answers: NullableJson<AllergenAnswers>;
  dietary: Generated<Dietary[]>;
  spice_level: Generated<number>;
  min_age: number | null;
  prep_minutes: number | null;
  max_per_order: number | null;
  station: string | null;
  /** Deleted: hidden from everyone and from all lists; its orders need the row. */
  deleted_at: NullableTime;
}

export interface OptionGroupsTable {
  id: string;
  store_id: string;
  name: string;
  pricing: Generated<Pricing>;
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
  /** Answers so far, or all fourteen while nobody has confirmed them. */
  allergen_answers: NullableJson<AllergenAnswers>;
}

/** Deleted parts of a menu for undo. */
export interface MenuBinTable {
  kind: 'menus' | 'categories' | 'items' | 'option_groups' | 'options';
  id: string;
  store_id: string;
  deleted_at: Time;
  /** The deleted rows, by table. */
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
  /** Only of orders that an earlier release wrote, until `sessionWork` encrypts it. */
  session: ColumnType<string | null, never, null>;
  session_hash: Buffer;
  /** The session, encrypted for who may read it. */
  session_sealed: Buffer | null;
  /** SHA-256 of the request that made it: the same session with another body is refused. */
  request_hash: Buffer;
  status: OrderStatus;
  payment_status: PaymentStatus;
  payment_method: PaymentMethod;
  /** How staff were paid at the handover; null: as it was to be paid. */
  paid_by: PaidBy | null;
  fulfilment_type: FulfilmentType;
  contact: Json<Contact>;
  address: NullableJson<DeliveryAddress>;
  requested_for: NullableTime;
  promised_at: NullableTime;
  prep_minutes: Generated<number>;
  /** The start of the slot whose capacity it uses, if the store limits slots. */
  slot_at: NullableTime;
  note: string;
  allergy_note: string;
  /** Codes of allergens, which its customer confirmed at the checkout. */
  allergies: Generated<string[]>;
  lines: Json<Line[]>;
  subtotal: number;
  discounts: Json<Discount[]>;
  fees: Json<ChargedFee[]>;
  tip: number;
  total: number;
  vat: Json<VatRow[]>;
  /** The amount refunded so far, without refunds for removed lines. */
  refunded: Generated<number>;
  /** Lines that staff took off since; lines and amounts are the rest. */
  removed: ColumnType<RemovedLine[], string | undefined, string>;
  /** Refunds for removed lines that were charged, made or on their way. */
  removed_refunded: Generated<number>;
  reject_reason: RejectReason | null;
  /** How staff followed up an order that nobody answered in time. */
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
  /** When its customer's details were erased, at the end of their retention. */
  forgotten_at: NullableTime;
}

/** The search words of orders; triggers on orders maintain them. */
export interface OrderSearchTable {
  order_id: ColumnType<string, never, never>;
  store_id: ColumnType<string, never, never>;
  trading_day: ColumnType<string, never, never>;
  created_at: ColumnType<Date, never, never>;
  number: ColumnType<number, never, never>;
  name: ColumnType<string, never, never>;
  /** Of the phone number, without its country or trunk prefix. */
  digits: ColumnType<string, never, never>;
}

interface NameTable {
  id: Generated<string>;
  name: string;
}

/** The sums of every account's orders; triggers on orders and users maintain them. */
export interface CustomerSumsTable {
  user_id: ColumnType<string, never, never>;
  orders: ColumnType<number, never, never>;
  spent: ColumnType<string, never, never>;
  /** `-infinity` (in JavaScript the number) without orders. */
  last_order_at: ColumnType<Date | number, never, never>;
}

/** The sums of a store's trading day. Days in `takings_changes` are stale. */
export interface TakingsTable {
  store_id: string;
  trading_day: string;
  orders: number;
  gross: ColumnType<string, number, number>;
  subtotal: ColumnType<string, number, number>;
  fees: ColumnType<string, number, number>;
  tips: ColumnType<string, number, number>;
  refunds: number;
  refunded: ColumnType<string, number, number>;
  refunded_tips: ColumnType<string, number, number>;
  /** Lists of sums in the shapes of `reports/server/count-days.ts`. */
  vat: Json<unknown[]>;
  parts: Json<unknown[]>;
  items: Json<unknown[]>;
  lost: Json<unknown[]>;
  late: Json<unknown>;
  owing: Json<unknown[]>;
  cards: Json<unknown[]>;
  fee_unknown: Json<unknown>;
  test: Json<unknown>;
}

/** The sums of a finished month; a trigger deletes them when one of its days is summed up again. */
export interface TakingsMonthsTable extends Omit<TakingsTable, keyof DayOfTakings> {
  store_id: string;
  /** Its first day. */
  month: string;
}
type DayOfTakings = Pick<
  TakingsTable,
  'trading_day' | 'orders' | 'gross' | 'subtotal' | 'fees' | 'tips' | 'refunds' | 'refunded' | 'refunded_tips'
>;

/** Trading days whose orders or refunds changed since they were summed up; written by triggers. */
export interface TakingsChangesTable {
  id: ColumnType<string, never, never>;
  store_id: ColumnType<string, never, never>;
  trading_day: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
}

/** Mailed links that put guest orders into the account of the address, or into a new one. */
export interface AccountLinksTable {
  /** SHA-256 of the token in the link. */
  token_hash: Buffer;
  email: string;
  order_ids: string[];
  expires_at: Time;
}

/** A call about an order under its caller's key, so that a repeated call changes nothing. */
export interface OrderCallsTable {
  order_id: string;
  /** The user's id, or `session` for the holder of the order's session. */
  caller: Generated<string>;
  /** SHA-256 of the `Idempotency-Key`. */
  key: Buffer;
  /** SHA-256 of the call and its body. */
  request: Buffer | null;
  /** False while a call with its own transactions is running. */
  is_made: Generated<boolean>;
  at: Time;
}

/** A mail to the customer of an order; at most one of each kind, or of each refund. */
export interface OrderMailsTable {
  order_id: string;
  kind: OrderMailKind;
  refund_id: string | null;
  owed_at: Time;
  /** Its row in `mails`; null until it has one. */
  mail_id: string | null;
  /** Used by earlier versions, which sent these themselves. */
  sending_until: NullableTime;
  ended_at: NullableTime;
}

/** Every mail with its state. */
export interface MailsTable {
  /** The id of every attempt to send it. */
  id: string;
  kind: MailKind;
  state: Generated<MailState>;
  /** Whose name and colours it has; null: the first store's. */
  store_id: string | null;
  order_id: string | null;
  order_number: number | null;
  /** Empty until it was written, if its writer finds the receiver; and after its receiver was erased. */
  to_address: Generated<string>;
  to_name: Generated<string>;
  locale: Generated<string>;
  subject: Generated<string>;
  /** The writer's input, for mails that are written when they are sent. */
  about: NullableJson<Record<string, unknown>>;
  /** Its content, without secret links; removed after a month. */
  content: NullableJson<object>;
  tries: Generated<number>;
  /** The mail server's answer when it last refused the mail. */
  answer: string | null;
  created_at: Time;
  /** The earliest retry after an interrupted attempt, by the database's clock. */
  sending_until: NullableTime;
  tried_at: NullableTime;
  /** When it was first refused, while it is retried. */
  refused_since: NullableTime;
  /** When the owner was told that it is refused. */
  told_at: NullableTime;
  /** When its state became final. */
  ended_at: NullableTime;
}

export interface OrderWatchesTable {
  order_id: string;
  /** When staff at a board acknowledged its alarm. */
  heard_at: NullableTime;
  /** When the owner was told that it is waiting. */
  warned_at: NullableTime;
  /** When staff's devices were last told that it waits. */
  pushed_at: NullableTime;
}

/** One row: the key pair of the installation, for RFC 8292. */
export interface PushKeysTable {
  id: string;
  is_only: Generated<boolean>;
  /** The uncompressed point, base64url. */
  public_key: string;
  /** The private key, encrypted by SECRETS_KEY; null: it is in a file of the data folder. */
  sealed: Buffer | null;
  created_at: Time;
}

/** A browser that may be told of orders while no page is open. */
export interface PushSubscriptionsTable {
  id: string;
  /** With the next two values anybody can send to the browser. */
  endpoint: string;
  p256dh: string;
  auth: string;
  locale: string;
  user_agent: string;
  /** null: a guest's. */
  user_id: string | null;
  sign_in_id: string | null;
  /** All orders of the account. */
  wants_own_orders: Generated<boolean>;
  /** New orders of the shops that the person works for. */
  wants_new_orders: Generated<boolean>;
  created_at: Time;
  /** When the browser's push service last accepted a message. */
  sent_at: NullableTime;
  tested_at: NullableTime;
}

export interface PushFollowsTable {
  order_id: string;
  subscription_id: string;
  /** Counts the news; a message with a lower number is stale. */
  round: Generated<number>;
  /** The last news of the order. */
  news: PushNews | null;
  /** When it became known; null once it is in the queue. */
  owed_at: NullableTime;
  created_at: Time;
}

/** The last trusted time of a machine's clock, and how far it has jumped since. */
export interface ClockWatchesTable {
  machine: string;
  boot: string;
  trusted_offset: number | null;
  ahead_seconds: number | null;
}

/** A store's order boards, whichever instance they are connected to. */
export interface BoardWatchesTable {
  store_id: string;
  /** When a board that is switched on was last seen. */
  seen_at: NullableTime;
  /** When the last board was switched off, once the owner was alerted; null while a board is on. */
  lost_at: NullableTime;
  /** The end of the pause that was made because no board was on. */
  paused_until: NullableTime;
  /** When the owner was last told about waiting orders. */
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
  /** Free text by a person, or a code of the contract. If there is a note, the note counts. */
  reason: Generated<string | null>;
  note: ColumnType<HistoryNote | null, string | null | undefined, string | null>;
  /** With a step that promised a time, that time. */
  promised_at: Generated<Date | null>;
  at: Time;
}

/** One attempt to pay an order by card. At most one attempt per order is pending and not marked for release. */
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
  /** While pending: the payer has finished on the page, and their bank has not answered. */
  is_processing: Generated<boolean>;
  failure: PaymentFailure | null;
  /** The key set that made it, for all of its calls; null: the sandbox. */
  key_set: ColumnType<string | null, string | null | undefined, string | null>;
  /** It moves no money, in a shop that is not the demo: a test key or the sandbox. */
  is_test: Generated<boolean>;
  /** The provider's own id of the money, once there is some. */
  intent: ColumnType<string | null, string | null | undefined, string | null>;
  /** How it was paid, as the provider names it: card, link … */
  method: ColumnType<string | null, string | null | undefined, string | null>;
  /** Whether the money is held until the shop accepts, if the method allows it; false: charged at once. */
  is_held: Generated<boolean>;
  /** When the provider ends the hold. */
  held_until: NullableTime;
  /** Minor units, decided before the first call, so that a retry captures the same. */
  capture_amount: ColumnType<number | null, number | null | undefined, number | null>;
  /** The captured amount. */
  captured: ColumnType<number | null, number | null | undefined, number | null>;
  /** Part of its calls' idempotency keys; increases only after a definite refusal. */
  attempts: Generated<number>;
  /** The call that the payment still needs at the provider. */
  owed: PendingProviderAction | null;
  /** When to reconcile without a webhook; null if none is expected. */
  check_at: NullableTime;
  created_at: Time;
  updated_at: Time;
}

/** An amount due back of an order, and its reason, which only erasure changes. */
export interface RefundRequestsTable {
  id: string;
  /** The refund that this one was split from. */
  part_of: string | null;
  store_id: string;
  order_id: string;
  /** The refunded payment; null for refunds by hand. */
  payment_id: string | null;
  /** The client's key: the same key is the same refund. */
  key: string;
  kind: RefundKind;
  amount: number;
  currency: string;
  /** The part of it that was tip, and so outside VAT. */
  tip: number;
  vat: Json<VatRow[]>;
  lines: Json<RefundedLine[]>;
  /** The text that a person wrote, if they asked for the refund. */
  reason: string;
  actor: string;
  actor_id: string | null;
  /** The trading day of the refund, for reports. */
  trading_day: string;
  created_at: Time;
}

/** One attempt to refund it. Its status goes forward only. */
export interface RefundAttemptsTable extends Pick<
  RefundRequestsTable,
  'payment_id' | 'amount' | 'tip' | 'vat' | 'lines'
> {
  request_id: string;
  number: number;
  /** The idempotency key of its call; null: no call of ours made it. */
  key: string | null;
  status: 'asked' | 'made' | 'returned' | 'refused';
  /** The provider's own id of it. */
  provider_refund: ColumnType<string | null, string | null | undefined, string | null>;
  /** While it is asked: when the sweep checks it. */
  check_at: NullableTime;
  made_at: NullableTime;
}

/** A view: each request with its last attempt, without its parts. Failed refunds moved no money. */
export interface RefundsView extends RefundRequestsTable, Pick<RefundAttemptsTable, 'provider_refund' | 'check_at'> {
  status: RefundStatus;
  /** The number of its last call: each has its own key at the provider. */
  attempts: number;
  settled_at: NullableTime;
}

/** A provider's event, stored before it is handled. */
export interface PaymentEventsTable {
  provider: ProviderName;
  id: string;
  key_set: string | null;
  type: string | null;
  /** The provider's id of its subject. */
  object: string | null;
  account: string | null;
  mode: PaymentMode | null;
  amount: number | null;
  currency: string | null;
  /** When it happened at the provider. */
  at: NullableTime;
  /** The payment it names, if it names one of this shop. */
  payment_id: string | null;
  /** The provider's id of the payment: a payment's `reference` or `intent`. */
  reference: string | null;
  received_at: Date;
  tries: Generated<number>;
  /** When it is handled or retried; null once it is handled. */
  check_at: NullableTime;
  handled_at: NullableTime;
  outcome: PaymentEventOutcome | null;
  /** Its place in the chain, and the hash of it and of the entry before. */
  position: ColumnType<string | null, never, number>;
  hash: ColumnType<Buffer | null, never, Buffer>;
}

/** The keys of an account at a card provider. A payment uses only the set that made it. */
export interface PaymentKeySetsTable {
  id: string;
  provider: KeyedProviderName;
  source: KeySource;
  mode: PaymentMode;
  /** null: the key may not read it. */
  account: string | null;
  account_name: string | null;
  /** The last four characters of the key. */
  key_hint: string;
  /** SHA-256 of the key. */
  key_hash: Buffer;
  endpoint_id: string | null;
  endpoint_url: string | null;
  /** Its secrets, encrypted by SECRETS_KEY; null: in the environment or in a file of the data folder. */
  sealed: Buffer | null;
  /** The problem, and its beginning. */
  problem: NullableJson<KeyProblem>;
  /** The newest ones, at most an hour old. */
  refused_pages: ColumnType<RefusedPage[], string | undefined, string>;
  /** The newest payment by which the owner tried it. */
  trial: NullableJson<KeyTrial>;
  /** When a signed webhook for it last came. */
  heard_at: NullableTime;
  /** When its keys, endpoint and trial are checked again. */
  check_at: NullableTime;
  /** When its endpoint is checked, after a payment was found before its webhook. */
  endpoint_check_at: NullableTime;
  /** When its balance transactions are synced next; null: never. */
  bank_check_at: NullableTime;
  /** When they were last synced; everything earlier has been imported. */
  bank_read_at: NullableTime;
  created_at: Time;
  /** When another set took its place for new payments. */
  replaced_at: NullableTime;
  /** When its last payment was finished. */
  ended_at: NullableTime;
}

/** Money that moved at a provider, as applied to its order. */
export interface PaymentMovementsTable {
  id: string;
  order_id: string;
  payment_id: string;
  kind: MovementKind;
  amount: number;
  currency: string;
  /** The provider's id of the object that moved it. */
  object: string | null;
  at: Time;
  position: ColumnType<string | null, never, number>;
  hash: ColumnType<Buffer | null, never, Buffer>;
}

export interface PaymentPayoutsTable {
  id: string;
  key_set: string;
  amount: number;
  currency: string;
  status: PayoutStatus;
  /** Why it failed, as the provider names it. */
  failure: string | null;
  is_automatic: boolean;
  /** The day it is in the bank account. */
  arrives_on: string;
  created_at: Time;
  /** When the provider was asked for it: a late answer of an earlier request is ignored. */
  seen_at: Time;
  /** When its entries were read. */
  synced_at: NullableTime;
}

/** A line of the provider's statement: a payment, a refund or a fee, as it changed the balance. */
export interface PaymentBankEntriesTable {
  id: string;
  key_set: string;
  payment_id: string | null;
  order_id: string | null;
  /** The provider's id of the charge, refund or dispute. */
  source: string | null;
  kind: BankEntryKind;
  /** Minor units; `net` is `amount` less `fee`. */
  amount: number;
  fee: number;
  net: number;
  currency: string;
  created_at: Time;
  /** When it can be paid out. */
  available_on: string;
  payout_id: string | null;
}

export interface PaymentDisputesTable {
  id: string;
  key_set: string;
  payment_id: string;
  order_id: string;
  store_id: string;
  amount: number;
  currency: string;
  /** As the provider names it: fraudulent, product_not_received … */
  reason: string;
  status: DisputeStatus;
  respond_by: NullableTime;
  /** When the owner is reminded of the deadline, if it was not answered by then. */
  remind_at: NullableTime;
  created_at: Time;
  closed_at: NullableTime;
  /** As for a payout. */
  seen_at: Time;
}

/** The payments of the sandbox, which plays a payment company. */
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
  captured: ColumnType<number | null, never, number>;
  /** Whether an approved payment is held until it is captured; otherwise it is captured as it is approved. */
  is_held: Generated<boolean>;
  refunded: Generated<number>;
  /** The calls that it will refuse later, as the payer chose on its page. */
  refuses: SandboxRefusal | null;
  /** The shop's own id of it, as sent with the checkout. */
  payment_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Time;
}

export interface PrintersTable {
  id: string;
  store_id: string;
  name: string;
  kind: PrinterKind;
  /** `host:port` for `network` and `browser`; the queue's name for `system`; empty for one that polls. */
  address: Generated<string>;
  /** The owner agreed that the server connects to an address of its own network. */
  allows_private_address: Generated<boolean>;
  /** The id of its model's profile. */
  profile: string;
  width_mm: 58 | 80;
  receipts: PrintCopy[];
  /** The stations, ways and channels whose orders it prints; an empty list means all. */
  stations: Generated<string[]>;
  fulfilment_types: Generated<FulfilmentType[]>;
  channels: Generated<OrderChannel[]>;
  copies: Generated<number>;
  backup_printer_id: string | null;
  opens_drawer: Generated<boolean>;
  sounds_buzzer: Generated<boolean>;
  /** It prints a slip when an order whose paper it has is promised for another time. */
  prints_promises: Generated<boolean>;
  /** SHA-256 of the secret that it polls with; the secret itself is never stored. */
  secret_hash: Buffer | null;
  /** Seconds between two polls, as it said or as they came; null: not known. */
  poll_seconds: number | null;
  paper: Generated<PaperState>;
  cover: Generated<PrinterCoverState>;
  /** Why it does not print; null without a known fault. */
  fault: PrintFault | null;
  /** The words of the printer or the network. */
  fault_detail: string | null;
  fault_since: NullableTime;
  /** The `fault_since` of the last fault that ALERT_WEBHOOK_URL was told of. */
  fault_told: NullableTime;
  last_seen_at: NullableTime;
  /** When the server last asked it how it is. */
  asked_at: NullableTime;
  created_at: Time;
  /** Removed: the ledger needs the row. */
  deleted_at: NullableTime;
}

/** The print ledger: one copy of a receipt for one printer, or another job for it. */
export interface PrintsTable {
  id: string;
  store_id: string;
  /** null for a draft and a test page. */
  order_id: string | null;
  /** null: there was no printer for it. */
  printer_id: string | null;
  purpose: Generated<PrintPurpose>;
  copy: PrintCopy;
  status: PrintStatus;
  /**
   * The event that asked for it. There is one row for an order, a copy, a printer and a trigger, of each of its
   * `copies`.
   */
  trigger: string | null;
  nth: Generated<number>;
  /** Printed again because somebody asked for it. */
  is_reprint: Generated<boolean>;
  /** The row of another printer that this one is printed for. */
  moved_from_id: string | null;
  due_at: Time;
  /** Not printed after this time, because it is of no use any more. */
  expires_at: NullableTime;
  /** Leases so far. */
  attempts: Generated<number>;
  /** The number of papers without the printer's confirmation. */
  unsure: Generated<number>;
  /** Its last paper that may have come out says POSSIBLE DUPLICATE. */
  is_marked: Generated<boolean>;
  /** Of a failed or unknown one: when it is queued again; null: when its printer is well. */
  retry_at: NullableTime;
  /** The last lease; it stays after its end for late reports. */
  lease_id: string | null;
  /** The holder of its last lease: a device, or an instance of the server. */
  leased_by: string | null;
  /** While claimed: when it is queued again. While sent: when it becomes unknown. */
  lease_until: NullableTime;
  claimed_at: NullableTime;
  /** When `source` was made, and the order's promise then. */
  drawn_at: NullableTime;
  promised_at: NullableTime;
  sent_at: NullableTime;
  /** When its last status was reached; null while something is still to be done about it. */
  ended_at: NullableTime;
  /** The receiptline source, once it was made; removed after 30 days. */
  source: string | null;
  fault: PrintFault | null;
  /** The words of the printer or the network. */
  fault_detail: string | null;
  /** The fault in words, as earlier releases wrote it. */
  error: string | null;
  created_at: Time;
  printed_at: NullableTime;
  /** When staff said that they had read it on the board, and who. */
  read_at: NullableTime;
  read_by: string | null;
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
  /** The facts read from its file; null for an older release. */
  facts: NullableJson<ApkFacts>;
  created_at: Time;
  published_at: NullableTime;
  withdrawn_at: NullableTime;
}

/** Uploaded apps: a release is made of one. */
export interface AppFilesTable {
  sha256: string;
  size: ColumnType<string, number, number>;
  facts: Json<ApkFacts>;
  created_at: Time;
}

/** Which version an installed app last asked with. */
export interface AppInstallsTable {
  /** SHA-256 of the random id that an app makes of its own. */
  install_hash: Buffer;
  platform: string;
  version: string;
  seen_at: Time;
}

/** How Google Play signs an app that it hands out. */
export interface AppPlaySigningTable {
  platform: string;
  package: string;
  /** SHA-256 of the certificate. */
  signer: string;
  changed_at: Time;
}

/** A tablet or a browser that is signed in as itself. */
export interface DevicesTable {
  id: string;
  store_id: string;
  kind: DeviceKind;
  name: string;
  /** The part of the kitchen that it shows; empty: all. */
  station: Generated<string>;
  /** SHA-256 of its bearer token. */
  token_hash: Buffer;
  state: ColumnType<DeviceState, string | undefined, string>;
  created_at: Time;
  last_seen_at: Time;
  revoked_at: NullableTime;
}

/** Codes by which a device is made, each once. */
export interface DeviceCodesTable {
  code_hash: Buffer;
  store_id: string;
  name: string;
  station: string;
  expires_at: Time;
}

/** The changes of the menu from a file, made in the background as one. */
export interface MenuImportsTable {
  id: string;
  store_id: string;
  created_by: string | null;
  file_name: string;
  state: ImportState;
  changes: Json<MenuChangeCall[]>;
  /** The operations that undo them. */
  undo: Json<MenuChangeCall[]>;
  total: number;
  done: Generated<number>;
  error: string | null;
  failed_change: number | null;
  created_at: Time;
  finished_at: NullableTime;
}

/** Realtime events of committed changes that are not sent yet. */
export interface OutboxTable {
  id: Generated<string>;
  topic: string;
  event: string;
  store_id: string;
  subject_id: string;
  sequence: ColumnType<string | null, number | null, never>;
}

/**
 * The sent values of a line of the log, one by one, if they have a word of three characters; a trigger maintains them.
 */
export interface AuditSearchTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  words: ColumnType<string, never, never>;
}

/** The sent values of a line of the log; a trigger maintains them. Erased with the person whom they may name. */
export interface AuditDetailsTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  /** Random: without it the digest in the line reveals nothing of the erased values. */
  salt: ColumnType<Buffer, never, never>;
  detail: ColumnType<Record<string, unknown>, never, never>;
}

/** The place of each line in a chain of hashes (`audit.ts`). */
export interface AuditChainTable {
  position: ColumnType<string, never, never>;
  id: ColumnType<string, never, never>;
  hash: ColumnType<Buffer, never, never>;
}

/** Takes inserts only: triggers refuse all other statements, except for old lines (`forgetAuditBefore`). */
export interface AuditLogTable {
  id: string;
  at: Time;
  actor_id: string | null;
  actor: string;
  role: string;
  store_id: string | null;
  action: string;
  subject_id: string | null;
  /**
   * The request's body without secrets and personal details. As it is inserted: a trigger moves it to `audit_details`.
   */
  detail: ColumnType<null, string | null, never>;
  /** null: it was done. */
  outcome: ColumnType<AuditOutcome | null, AuditOutcome | null | undefined, never>;
  /** Salted, of the detail. */
  detail_digest: ColumnType<Buffer | null, never, never>;
  request_id: string;
}

/** The instances on this database; one that was not heard of for a minute is not counted. */
export interface RestoresTable {
  epoch: Generated<string>;
  copy_number: number;
  copy_made_at: ColumnType<Date, Date | string>;
  restored_at: Date;
  continued_at: Date | null;
}

export interface InstancesTable {
  id: string;
  /** The store that `/` shows. */
  store_id: string | null;
  /** The shop's public address; null: this machine's. */
  address: string | null;
  /** A digest of where its Redis is; empty: it has none. */
  redis: string;
  heard_at: Date;
}
