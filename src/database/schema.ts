import type {
  RefusedCallOutcome,
  BankEntryKind,
  ComplaintState,
  ComplaintSubject,
  ComplaintWish,
  ConsentKind,
  PrinterCoverState,
  DeviceKind,
  Dietary,
  DisputeStatus,
  ErasureKind,
  FollowUp,
  FulfilmentType,
  ImportState,
  KeySource,
  MovementKind,
  OrderChannel,
  OrderStatus,
  OwedProviderCall,
  HandoverPaymentMethod,
  PaperState,
  PauseCause,
  PaymentEventOutcome,
  PaymentFailure,
  PaymentMethod,
  PaymentMode,
  PaymentAttemptStatus,
  PaymentStatus,
  PayoutStatus,
  Pricing,
  PrintCopy,
  PrinterKind,
  PrintFault,
  PrintPurpose,
  PrintStatus,
  ProviderState,
  OrderPushKind,
  ProviderReadingFailure,
  ReceiptSize,
  RefundKind,
  RefundStatus,
  RejectReason,
  SandboxRefusal,
  SignInProviderKind,
  SignInProviderProblem,
  SignInPurpose,
  SoldOutWish,
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
  ItemOption,
  SpecialDay,
  WayPause,
  Contact,
  DeliveryAddress,
  DeliveryZone,
  DeviceState,
  Discount,
  HistoryNote,
  KeyedCardProviderName,
  KeyProblem,
  KeyTrial,
  Line,
  MenuChangeCall,
  Offer,
  OpeningEntry,
  PriceChange,
  CardProviderName,
  RefundedLine,
  RefusedPaymentPage,
  ComplaintLine,
  RemovedLine,
  StoreAddress,
  VatRow,
} from '#database/column-types.ts';

/** Every table. The migrations create the tables; the contract explains most columns. */
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
  /** The codes that were made together have the same nonce. */
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
  offer_uses: OfferUsesTable;
  offer_codes: OfferCodesTable;
  mails: MailsTable;
  account_links: AccountLinksTable;
  order_watches: OrderWatchesTable;
  board_watches: BoardWatchesTable;
  order_search: OrderSearchTable;
  /**
   * The customer names of all orders, for the search by name. Triggers on `order_search` add the names. Simultaneous
   * transactions may both add one name, so `order_names` may contain a name twice.
   */
  order_names: NameTable;
  /**
   * Names that were removed from an order. A sweep deletes them from `order_names`, unless another order has the same
   * name.
   */
  order_names_left: NameTable;
  customer_sums: CustomerSumsTable;
  takings: TakingsTable;
  takings_months: TakingsMonthsTable;
  takings_changes: TakingsChangesTable;
  /** For each store, the last trading day whose takings mail is settled: the mail was sent, or none was due. */
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
  /** The audit lines that have no position in the chain yet; a trigger adds them. */
  audit_unchained: { at: ColumnType<Date, never, never>; id: ColumnType<string, never, never> };
  /** One row: the position and hash of the last audit line that retention deleted, after which the chain begins. */
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
  menu_drafts: MenuDraftsTable;
  clock_watches: ClockWatchesTable;
  /**
   * Values that all instances share. The values are no secrets, in spite of the table's name
   * (`installation-values.ts`).
   */
  installation_secrets: { name: string; value: string };
  instances: InstancesTable;
  restores: RestoresTable;
  backups: BackupsTable;
  /** One row: since when the shop should have backups, and when its owner was alerted that backups are missing. */
  backup_watches: { is_only: Generated<boolean>; since: Time; told_at: NullableTime };
  backup_keys: BackupKeysTable;
  backup_places: BackupPlacesTable;
  backup_objects: BackupObjectsTable;
  provider_readings: ProviderReadingsTable;
  unknown_payments: UnknownPaymentsTable;
  erasures: ErasuresTable;
  copy_folders: CopyFoldersTable;
  /** One row. A shop keeps its `shop_id` when it is restored or moved. */
  installation: { is_only: Generated<boolean>; shop_id: Generated<string> };
}

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** A jsonb column: reads give objects, and writes take JSON text. */
type Json<T> = JSONColumnType<T & object, string, string>;
/** A jsonb column that needs a default, because inserts of earlier releases omit the column. */
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;
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
  /** Whether a person has confirmed that the pin on the map is at the shop. */
  location_confirmed: Generated<boolean>;
  currency: Generated<string>;
  timezone: Generated<string>;
  day_starts_at: Generated<string>;
  operational_hours: Json<OpeningEntry[]>;
  closures: Json<Closure[]>;
  special_hours: JsonWithDefault<SpecialDay[]>;
  pauses: JsonWithDefault<WayPause[]>;
  offers: JsonWithDefault<Offer[]>;
  /** The ids of the dishes that sold most, best first. */
  best_sellers: JsonWithDefault<string[]>;
  /** The trading day up to which the best sellers were counted; null: never. */
  best_sellers_day: ColumnType<string | null, string | null | undefined, string>;
  is_accepting_orders: Generated<boolean>;
  paused_until: NullableTime;
  pause_reason: string | null;
  /** The reason for which the server paused the shop; null if a person paused it. */
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
  /** Whether this is a demo shop, which may take sandbox payments. */
  is_demo: Generated<boolean>;
  /** The real card provider whose keys the shop has; null if there are none that can be used. */
  card_provider: KeyedCardProviderName | null;
  /**
   * Whether the shop has card keys now, usable or not, or ever had live ones. Such a shop takes no sandbox payments.
   */
  has_card_keys: Generated<boolean>;
  /** Only `store/server/change-store.ts` writes the version. */
  version: ColumnType<number, never, never>;
  created_at: Time;
  deleted_at: NullableTime;
}

/** The onboarding of stores: whether the office reminds the owner of it, and the steps that the owner has settled. */
export interface FirstEveningsTable {
  store_id: string;
  settled: Generated<string[]>;
  is_shown: Generated<boolean>;
}

/** The networks from which orders came, for the hourly limits; deleted after a day. */
export interface OrderOriginsTable {
  order_id: string;
  store_id: string;
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
  /**
   * The staff role that a customer gets by opening the link of their invitation, as JSON; null: there is no open
   * invitation.
   */
  invited: ColumnType<StaffInvitation | null, string | null | undefined, string | null>;
  created_at: Time;
}

export interface StaffInvitation {
  name: string;
  role: StaffRole;
  store_ids: string[];
}

/** When each account was last used, to the hour; triggers on `users` and `sign_ins` maintain it. */
export interface AccountActivityTable {
  user_id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  /** When the owner of the unused account was warned of its deletion; null again once the account is used. */
  warned_at: NullableTime;
}

/** Complaints and the shop's answers; an erasure of the person empties both texts. */
export interface ComplaintsTable {
  id: string;
  /** The reference that the sender is told: `C-` and eight characters. */
  reference: string;
  /** The sender's idempotency key: a second request with this key is the same complaint. */
  key: string;
  created_at: Time;
  about: ComplaintSubject;
  order_number: string | null;
  /** The order and its store, if the sender could read the whole order; null otherwise. */
  order_id: string | null;
  store_id: string | null;
  lines: ColumnType<ComplaintLine[], string | undefined, string>;
  wish: ComplaintWish | null;
  is_allergy: Generated<boolean>;
  name: string;
  email: string;
  locale: string;
  message: string;
  user_id: string | null;
  status: Generated<ComplaintState>;
  answer: Generated<string>;
  answered_by: Generated<string>;
  answered_at: NullableTime;
  /** When the owner was reminded that the deadline for the answer is near. */
  reminded_at: NullableTime;
  /**
   * Whether the person is to be erased from the complaint once it is answered, because they have deleted their account.
   */
  forgets: Generated<boolean>;
  forgotten_at: NullableTime;
}

/** The consents of people with an account, with the words that they agreed to; deleted with the account. */
export interface ConsentsTable {
  id: Generated<string>;
  user_id: string;
  kind: ConsentKind;
  page: string | null;
  words: Generated<string>;
  device: Generated<string>;
  /**
   * The push subscription that the consent is for; null: it is for none. A trigger ends the consent when the
   * subscription is deleted or gets another account.
   */
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
  /** When the person last proved their identity in this sign-in; null for sign-ins of an earlier version. */
  proven_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  known_device_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface PasskeysTable {
  id: string;
  user_id: string;
  /** The browser's id of the passkey, in base64url. */
  credential_id: string;
  public_key: Buffer;
  /** How often the passkey was used, as its authenticator counts; 0 if it does not count. */
  counter: ColumnType<string, number, number>;
  transports: Generated<string[]>;
  name: string;
  created_at: Time;
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** The secrets of authenticator apps, encrypted; if `sealed` is null, the secret is in a file. */
export interface TotpSecretsTable {
  id: string;
  user_id: string;
  sealed: Buffer | null;
  created_at: Time;
  /** When a code proved that the app has the secret; null while unconfirmed. */
  confirmed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The time step of the last used code: the number of half minutes since 1970. */
  last_step: Generated<number>;
}

export interface KnownDevicesTable {
  id: string;
  user_id: string;
  /** SHA-256 of the token that the device stores. All accounts that are used on the device have the same token. */
  token_hash: Buffer;
  user_agent: string;
  created_at: Time;
  signed_in_at: Time;
  /** The time since which the device counts as new again; null while it is known. */
  forgotten_at: NullableTime;
}

export interface PasswordResetsTable {
  /** SHA-256 of the token in the mailed link; the token itself is never stored. */
  token_hash: Buffer;
  user_id: string;
  expires_at: Time;
  is_invitation: Generated<boolean>;
}

export interface EmailVerificationsTable {
  token_hash: Buffer;
  user_id: string;
  /** The address to which the link was sent; the link confirms no other address. */
  email: string;
  expires_at: Time;
}

export interface IdentitiesTable {
  id: Generated<string>;
  issuer: string;
  subject: string;
  user_id: string;
  /** The email at the provider at the last sign-in; null if the provider gave none. */
  email: string | null;
  created_at: Time;
}

export interface SignInProvidersTable {
  id: string;
  kind: SignInProviderKind;
  name: string;
  issuer: string;
  client_id: string;
  /** Apple's ids of the shop's team and key; null for other kinds. */
  team_id: string | null;
  key_id: string | null;
  /** The provider's secrets, encrypted by SECRETS_KEY; null if they are in a file of the data folder. */
  sealed: Buffer | null;
  is_on: Generated<boolean>;
  /** When the owner last tried the provider with success; null again after a change of the provider's details. */
  tried_at: NullableTime;
  /** The provider's problem; null again after the provider's next success. */
  problem: SignInProviderProblem | null;
  problem_since: NullableTime;
  created_at: Time;
}

export interface SocialAttemptsTable {
  state_hash: Buffer;
  /** SHA-256 of the secret in the browser that began the attempt, so that no other browser can finish it. */
  secret_hash: Buffer;
  code_verifier: string;
  nonce: string;
  /** The id of a row of `sign_in_providers`, or `environment`. */
  provider: Generated<string>;
  purpose: Generated<SignInPurpose>;
  /** The person who connects an identity or tries a provider; null: a person signs in. */
  user_id: string | null;
  app_challenge: string | null;
  /** The person's name, if the provider posted it with its answer, as Apple does at a person's first sign-in. */
  given_name: string | null;
  expires_at: Time;
}

/** One-time codes by which the app takes over a sign-in that was made in the browser. */
export interface SocialCodesTable {
  code_hash: Buffer;
  user_id: string;
  /** The S256 challenge that the app made: only the app has its verifier, without which the code is useless. */
  challenge: string;
  expires_at: Time;
}

/** The names of people who have no account yet. They are stored, because a provider gives a name only once. */
export interface GivenNamesTable {
  issuer: string;
  subject: string;
  name: string;
  expires_at: Time;
}

/** The numbers of attempts, by account or by network address. After too many attempts, further attempts must wait. */
export interface ThrottlesTable {
  /** The name of the counter, such as `sign-in address 192.0.2.1`. An account's email is in it only as a hash. */
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
  price_change: NullableJson<PriceChange>;
  vat_rate: number;
  is_active: Generated<boolean>;
  is_available: Generated<boolean>;
  unavailable_until: NullableTime;
  allergens: NullableJson<Allergens>;
  /**
   * A person's answers about allergens, while they are incomplete or unconfirmed; confirmed answers are in `allergens`.
   */
  allergen_answers: NullableJson<AllergenAnswers>;
  dietary: Generated<Dietary[]>;
  spice_level: Generated<number>;
  min_age: number | null;
  prep_minutes: number | null;
  max_per_order: number | null;
  station: string | null;
  /** The portions that can still be ordered; null: not counted. */
  portions_left: number | null;
  /** The value of `portions_left` in the menu's current version, which pages show until the next version. */
  portions_shown: number | null;
  /** When the item was deleted. The row stays, because orders, the audit log and the bin refer to it. */
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
  price_change: NullableJson<PriceChange>;
  is_default: Generated<boolean>;
  is_available: Generated<boolean>;
  unavailable_until: NullableTime;
  vat_rate: number | null;
  allergens: NullableJson<Allergens>;
  /**
   * A person's answers about allergens, while they are incomplete or unconfirmed; confirmed answers are in `allergens`.
   */
  allergen_answers: NullableJson<AllergenAnswers>;
  /** The dish that the option stands for, whose fields replace the option's; null: the option stands for no dish. */
  item_id: string | null;
  /** The choices that are made in the option groups of the dish `item_id`. */
  item_options: ColumnType<ItemOption[], string | undefined, string>;
}

/** Deleted parts of menus, so that a deletion can be undone. */
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
  /**
   * The order's session in plain text, if an earlier release stored it; null after `sessionEncryptionWork` has
   * encrypted it.
   */
  session: ColumnType<string | null, never, null>;
  session_hash: Buffer;
  /** The encrypted session, for callers who may read it. */
  session_sealed: Buffer | null;
  /** SHA-256 of the request that placed the order. A second request of the session with another body is refused. */
  request_hash: Buffer;
  status: OrderStatus;
  payment_status: PaymentStatus;
  payment_method: PaymentMethod;
  /** How the customer paid at the handover; null: in the way that `payment_method` says. */
  paid_by: HandoverPaymentMethod | null;
  fulfilment_type: FulfilmentType;
  contact: Json<Contact>;
  address: NullableJson<DeliveryAddress>;
  requested_for: NullableTime;
  promised_at: NullableTime;
  prep_minutes: Generated<number>;
  /** The start of the slot in which the order counts, for stores that limit the orders per slot. */
  slot_at: NullableTime;
  note: string;
  allergy_note: string;
  /** The codes of allergens that the customer avoids, as confirmed at the checkout. */
  allergies: Generated<string[]>;
  if_sold_out: Generated<SoldOutWish>;
  cutlery: Generated<boolean>;
  lines: Json<Line[]>;
  subtotal: number;
  discounts: Json<Discount[]>;
  fees: Json<ChargedFee[]>;
  tip: number;
  total: number;
  vat: Json<VatRow[]>;
  /** The sum of the refunds so far, without refunds for removed lines. */
  refunded: Generated<number>;
  /** The pieces that staff removed from the order. `lines` and the amounts no longer contain them. */
  removed: ColumnType<RemovedLine[], string | undefined, string>;
  /** The sum of refunds for lines that were removed after the charge, including refunds in progress. */
  removed_refunded: Generated<number>;
  reject_reason: RejectReason | null;
  followed_up: FollowUp | null;
  created_at: Time;
  placed_at: NullableTime;
  accepted_at: NullableTime;
  packed_at: NullableTime;
  left_at: NullableTime;
  /** When the customer said that they are here to collect the order. */
  arrived_at: NullableTime;
  /** From 1 to 5. */
  rating_stars: number | null;
  rating_text: Generated<string>;
  rated_at: NullableTime;
  completed_at: NullableTime;
  closed_at: NullableTime;
  /** The time at which the placed order is rejected, if nobody has answered it by then. */
  answer_by: NullableTime;
  /** The time at which the order expires, if it is in `pending_payment` then. */
  expires_at: NullableTime;
  locale: Generated<string>;
  forgotten_at: NullableTime;
}

/**
 * The discounts that count towards the limits of offers. Discounts of test orders, and of rejected, cancelled or
 * expired orders, do not count. Triggers on orders maintain the rows.
 */
export interface OfferUsesTable {
  offer_id: ColumnType<string, never, never>;
  order_id: ColumnType<string, never, never>;
  trading_day: ColumnType<string, never, never>;
  amount: ColumnType<number, never, never>;
  /** The code in capitals, without spaces; null for an automatic offer. */
  code: ColumnType<string | null, never, never>;
}

export interface OfferCodesTable {
  store_id: string;
  /** In capitals, without spaces. */
  code: string;
  offer_id: string;
  created_at: Time;
}

/** The search words of orders; triggers on orders maintain them. */
export interface OrderSearchTable {
  order_id: ColumnType<string, never, never>;
  store_id: ColumnType<string, never, never>;
  trading_day: ColumnType<string, never, never>;
  created_at: ColumnType<Date, never, never>;
  number: ColumnType<number, never, never>;
  name: ColumnType<string, never, never>;
  /** The digits of the phone number, without the country code or the leading 0. */
  digits: ColumnType<string, never, never>;
}

interface NameTable {
  id: Generated<string>;
  name: string;
}

/** The sums over the orders of each account; triggers on orders and users maintain them. */
export interface CustomerSumsTable {
  user_id: ColumnType<string, never, never>;
  orders: ColumnType<number, never, never>;
  spent: ColumnType<string, never, never>;
  /** The time of the last order; `-infinity`, which is `-Infinity` in JavaScript: there is no order. */
  last_order_at: ColumnType<Date | number, never, never>;
}

/** The sums of each store's trading days. The row of a day that is in `takings_changes` is stale. */
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
  /** Lists of sums in the shapes of `reports/server/sum-days.ts`. */
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

/** The sums of finished months; a trigger deletes a month when one of its days is summed up again. */
export interface TakingsMonthsTable extends Omit<TakingsTable, keyof DayOfTakings> {
  store_id: string;
  /** The first day of the month. */
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

/**
 * Mailed links that put guest orders into the account of `email`, the address of the mail. If there is no such account,
 * the link creates it.
 */
export interface AccountLinksTable {
  token_hash: Buffer;
  email: string;
  order_ids: string[];
  expires_at: Time;
}

/** The calls about an order, by idempotency key. A retry of a call that has succeeded changes nothing. */
export interface OrderCallsTable {
  order_id: string;
  /** The user's id, or `session` for the holder of the order's session. */
  caller: Generated<string>;
  /** SHA-256 of the `Idempotency-Key`. */
  key: Buffer;
  /** SHA-256 of the call and its body. */
  request: Buffer | null;
  /**
   * Whether the call has succeeded. A call that opens its own transactions is stored before it succeeds, with false; a
   * retry runs it again.
   */
  is_made: Generated<boolean>;
  at: Time;
}

/**
 * Mails to the customer of an order. Each order has at most one of each kind or, for kinds about refunds, one for each
 * refund.
 */
export interface OrderMailsTable {
  order_id: string;
  kind: OrderMailKind;
  refund_id: string | null;
  owed_at: Time;
  /** The mail's row in `mails`; null until it has one. */
  mail_id: string | null;
  /**
   * This version does not use the column, because the mails are sent through `mails`. Earlier versions still write it.
   */
  sending_until: NullableTime;
  ended_at: NullableTime;
}

export interface MailsTable {
  /** The mail's id. Its Message-ID is made from this id, and so is the same at each attempt to send it. */
  id: string;
  kind: MailKind;
  state: Generated<MailState>;
  /** The store whose name and colours the mail has; null: the first store. */
  store_id: string | null;
  order_id: string | null;
  order_number: number | null;
  /**
   * The recipient's address. It is empty after the person's erasure. It is also empty until the mail is written, if the
   * function that writes the mail looks the recipient up.
   */
  to_address: Generated<string>;
  to_name: Generated<string>;
  locale: Generated<string>;
  subject: Generated<string>;
  /**
   * The input of the mail's writer, which writes the mail when it is sent; null: the mail was written when it was
   * queued.
   */
  about: NullableJson<Record<string, unknown>>;
  /**
   * The mail's content, without secret links. It is missing until the mail is written, and is removed after a month or
   * by an erasure.
   */
  content: NullableJson<object>;
  tries: Generated<number>;
  answer: string | null;
  created_at: Time;
  /**
   * The end of the running attempt's claim, by the database's clock. If that attempt is interrupted, the next one may
   * start after this time.
   */
  sending_until: NullableTime;
  tried_at: NullableTime;
  /** When an attempt to send the mail first failed; null: none has failed. */
  refused_since: NullableTime;
  told_at: NullableTime;
  ended_at: NullableTime;
}

export interface OrderWatchesTable {
  order_id: string;
  heard_at: NullableTime;
  warned_at: NullableTime;
  pushed_at: NullableTime;
}

/** One row: the installation's key pair for push messages (VAPID, RFC 8292). */
export interface PushKeysTable {
  id: string;
  is_only: Generated<boolean>;
  /** The public key as an uncompressed point, in base64url. */
  public_key: string;
  /** The private key, encrypted by SECRETS_KEY; null if it is in a file of the data folder. */
  sealed: Buffer | null;
  created_at: Time;
}

export interface PushSubscriptionsTable {
  id: string;
  /**
   * The browser's address at the push service. Anybody who knows `endpoint`, `p256dh` and `auth` can send to the
   * browser.
   */
  endpoint: string;
  p256dh: string;
  auth: string;
  locale: string;
  user_agent: string;
  /** The account; null for a guest's browser. */
  user_id: string | null;
  sign_in_id: string | null;
  wants_own_orders: Generated<boolean>;
  wants_new_orders: Generated<boolean>;
  created_at: Time;
  sent_at: NullableTime;
  tested_at: NullableTime;
}

export interface PushFollowsTable {
  order_id: string;
  subscription_id: string;
  /** The number of the order's newest news. A queued message with a lower number is stale, and is not sent. */
  round: Generated<number>;
  news: OrderPushKind | null;
  /**
   * Since this time, the shop owes the browser a message about `news`. Null: the job queue has the message, or no news
   * has come yet.
   */
  owed_at: NullableTime;
  created_at: Time;
}

/**
 * The state of each machine's clock. `trusted_offset`: the clock's time minus the machine's time since boot (ms), as it
 * was when the clock was last trusted. `ahead_seconds`: the clock's jump since then.
 */
export interface ClockWatchesTable {
  machine: string;
  boot: string;
  trusted_offset: number | null;
  ahead_seconds: number | null;
}

/** For each store: the watch over its order boards, whichever instance they are connected to. */
export interface BoardWatchesTable {
  store_id: string;
  seen_at: NullableTime;
  /** The start of the present outage of all order boards, once the owner was alerted of it; otherwise null. */
  lost_at: NullableTime;
  /** The end of the pause that the server made because no order board was connected. */
  paused_until: NullableTime;
  warned_at: NullableTime;
}

export interface OrderHistoryTable {
  order_id: string;
  version: number;
  from_status: OrderStatus | null;
  to_status: OrderStatus;
  /** `customer`, `guest`, `system`, or a staff member's name. */
  actor: string;
  actor_id: string | null;
  /** Free text by a person, or a code of the contract. If `note` is set, it is shown instead of the reason. */
  reason: Generated<string | null>;
  note: ColumnType<HistoryNote | null, string | null | undefined, string | null>;
  /** The time that this step promised to the customer; null: the step promised no time. */
  promised_at: Generated<Date | null>;
  at: Time;
}

/** Attempts to pay orders by card. An order has at most one pending attempt whose `owed` is null. */
export interface PaymentsTable {
  id: string;
  order_id: string;
  provider: CardProviderName;
  status: PaymentAttemptStatus;
  amount: number;
  currency: string;
  /** The provider's own id of the attempt; null until the provider has answered. */
  reference: string | null;
  redirect_url: string | null;
  /**
   * Whether the payer has finished on the payment page, but their bank has not answered yet. Set only while the payment
   * is pending.
   */
  is_processing: Generated<boolean>;
  failure: PaymentFailure | null;
  /** The key set that made the payment and makes all of its calls; null for the sandbox. */
  key_set: ColumnType<string | null, string | null | undefined, string | null>;
  /**
   * Whether the payment was made with a test key or in the sandbox, so that no money moves; false for payments of the
   * demo shop.
   */
  is_test: Generated<boolean>;
  /** The provider's id of the authorised payment (Stripe: the PaymentIntent); null: nothing was authorised yet. */
  intent: ColumnType<string | null, string | null | undefined, string | null>;
  /** The payer's method, as the provider names it: card, link … */
  method: ColumnType<string | null, string | null | undefined, string | null>;
  /**
   * Whether the payment is first authorised, and captured when the shop accepts the order; false: it is captured at
   * once. Even with true, a payment whose method allows no later capture is captured at once.
   */
  is_held: Generated<boolean>;
  held_until: NullableTime;
  /**
   * The amount to capture, in minor units. It is stored before the call, so that a retry with the same key captures the
   * same amount.
   */
  capture_amount: ColumnType<number | null, number | null | undefined, number | null>;
  captured: ColumnType<number | null, number | null | undefined, number | null>;
  /**
   * A number in the idempotency keys of the payment's calls. It is increased when the next call needs a new key, for
   * example after a refusal.
   */
  attempts: Generated<number>;
  owed: OwedProviderCall | null;
  /** When the sweep next checks the payment; null: no change is expected, or the payment waits for a dispute. */
  check_at: NullableTime;
  created_at: Time;
  updated_at: Time;
}

/** Requested refunds of orders, with amounts and reasons. Only erasure changes a row. */
export interface RefundRequestsTable {
  id: string;
  /** The request from which this one was split. */
  part_of: string | null;
  store_id: string;
  order_id: string;
  /** The refunded payment; null for refunds by hand. */
  payment_id: string | null;
  /** The client's idempotency key: a second request with this key is the same refund. */
  key: string;
  kind: RefundKind;
  amount: number;
  currency: string;
  /** The part of the amount that was a tip, and so outside VAT. */
  tip: number;
  vat: Json<VatRow[]>;
  lines: Json<RefundedLine[]>;
  /**
   * The reason that a person gave for the refund, or for the removal of the lines: free text or a `RemovalReason`.
   * Empty if nobody gave a reason, and after its erasure.
   */
  reason: string;
  actor: string;
  actor_id: string | null;
  trading_day: string;
  created_at: Time;
}

/** Attempts to refund the requested amounts. The status of an attempt never goes back to an earlier one. */
export interface RefundAttemptsTable extends Pick<
  RefundRequestsTable,
  'payment_id' | 'amount' | 'tip' | 'vat' | 'lines'
> {
  request_id: string;
  number: number;
  /** The idempotency key of the attempt's call; null if no call of the shop made the refund. */
  key: string | null;
  status: 'asked' | 'made' | 'returned' | 'refused';
  provider_refund: ColumnType<string | null, string | null | undefined, string | null>;
  /** When the sweep next checks the attempt, if its status is `asked`. */
  check_at: NullableTime;
  made_at: NullableTime;
}

/**
 * A view of each request with its last attempt. Amounts that were split off into other requests are subtracted. A
 * failed request moved no money, or its money came back.
 */
export interface RefundsView extends RefundRequestsTable, Pick<RefundAttemptsTable, 'provider_refund' | 'check_at'> {
  status: RefundStatus;
  /** The number of the last attempt, from 1. Each attempt has its own idempotency key at the provider. */
  attempts: number;
  settled_at: NullableTime;
}

export interface PaymentEventsTable {
  provider: CardProviderName;
  id: string;
  key_set: string | null;
  type: string | null;
  /** The provider's id of the object that the event is about. */
  object: string | null;
  account: string | null;
  mode: PaymentMode | null;
  amount: number | null;
  currency: string | null;
  /** When the event happened at the provider. */
  at: NullableTime;
  /** The payment that the event names; null: the event names no payment of this shop. */
  payment_id: string | null;
  /** The provider's id of the payment: a payment's `reference` or `intent`. */
  reference: string | null;
  received_at: Date;
  tries: Generated<number>;
  /** When the event is to be handled, at first or again; null once it is handled. */
  check_at: NullableTime;
  handled_at: NullableTime;
  outcome: PaymentEventOutcome | null;
  /** The event's position in the chain. */
  position: ColumnType<string | null, never, number>;
  /** The hash of the previous event's hash and this event. */
  hash: ColumnType<Buffer | null, never, Buffer>;
}

/** The keys of accounts at card providers. A payment uses only the set that made it. */
export interface PaymentKeySetsTable {
  id: string;
  provider: KeyedCardProviderName;
  source: KeySource;
  mode: PaymentMode;
  /** The account's id at the provider; null: the key was not checked yet, or may not read the account. */
  account: string | null;
  account_name: string | null;
  /** The last four characters of the key. */
  key_hint: string;
  key_hash: Buffer;
  endpoint_id: string | null;
  endpoint_url: string | null;
  /** The set's secrets, encrypted by SECRETS_KEY; null if they are in the environment or a file of the data folder. */
  sealed: Buffer | null;
  problem: NullableJson<KeyProblem>;
  /** The provider's newest refusals to open payment pages, at most an hour old. */
  refused_pages: ColumnType<RefusedPaymentPage[], string | undefined, string>;
  /** The newest payment by which the owner tried the keys. */
  trial: NullableJson<KeyTrial>;
  /** When the last webhook that was signed with the set's secret arrived. */
  heard_at: NullableTime;
  /** When the keys, the webhook endpoint and the trial are checked again. */
  check_at: NullableTime;
  /** When the webhook endpoint is checked, because the shop found a payment before the webhook about it came. */
  endpoint_check_at: NullableTime;
  /** When the account's bank entries are next read; null: at once, because they were never read. */
  bank_check_at: NullableTime;
  /** When the bank entries were last read; all earlier entries are stored. */
  bank_read_at: NullableTime;
  created_at: Time;
  replaced_at: NullableTime;
  /** When a replaced set was ended, because its payments, refunds, disputes and payouts were finished. */
  ended_at: NullableTime;
}

/** Movements of money at a provider, as they were applied to orders. */
export interface PaymentMovementsTable {
  id: string;
  order_id: string;
  payment_id: string;
  kind: MovementKind;
  amount: number;
  currency: string;
  /** The provider's id of the object that moved the money, such as a refund. */
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
  /** The provider's reason for a failed payout. */
  failure: string | null;
  is_automatic: boolean;
  /** The day on which the money reaches the bank account. */
  arrives_on: string;
  created_at: Time;
  /** When the shop sent the request whose answer is stored here. The answer to an earlier request is ignored. */
  seen_at: Time;
  synced_at: NullableTime;
}

/** Lines of the provider's statement: payments, refunds and fees, as they changed the account's balance. */
export interface PaymentBankEntriesTable {
  id: string;
  key_set: string;
  payment_id: string | null;
  order_id: string | null;
  source: string | null;
  kind: BankEntryKind;
  /** Minor units; `net` is `amount` less `fee`. */
  amount: number;
  fee: number;
  net: number;
  currency: string;
  created_at: Time;
  /** The day from which the money can be paid out. */
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
  /** The reason as the provider names it: fraudulent, product_not_received … */
  reason: string;
  status: DisputeStatus;
  respond_by: NullableTime;
  /** When the owner is reminded of the deadline, if the dispute is not answered by then. */
  remind_at: NullableTime;
  created_at: Time;
  closed_at: NullableTime;
  /** When the shop sent the request whose answer is stored here. The answer to an earlier request is ignored. */
  seen_at: Time;
}

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
  /** Whether an approved payment is held until it is captured; false: it is captured when it is approved. */
  is_held: Generated<boolean>;
  refunded: Generated<number>;
  /** The call that the sandbox will refuse, because the payer chose so on the sandbox's page; null: none. */
  refuses: SandboxRefusal | null;
  /** The shop's own id of the payment, which it sent with the checkout. */
  payment_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Time;
}

export interface PrintersTable {
  id: string;
  store_id: string;
  name: string;
  kind: PrinterKind;
  /** `host:port` for `network` and `browser`; the queue's name for `system`; empty for a printer that polls. */
  address: Generated<string>;
  /** Whether the owner agreed that the server connects to an address of its own network. */
  allows_private_address: Generated<boolean>;
  profile: string;
  width_mm: 58 | 80;
  receipts: PrintCopy[];
  /**
   * The stations whose orders the printer prints; an empty list means all. The same rule applies to `fulfilment_types`
   * and `channels`.
   */
  stations: Generated<string[]>;
  fulfilment_types: Generated<FulfilmentType[]>;
  channels: Generated<OrderChannel[]>;
  copies: Generated<number>;
  backup_printer_id: string | null;
  opens_drawer: Generated<boolean>;
  sounds_buzzer: Generated<boolean>;
  /** Whether the printer prints a slip when an order's promised time changes after its receipt was printed. */
  prints_promises: Generated<boolean>;
  /** SHA-256 of the secret with which the printer polls; the secret itself is never stored. */
  secret_hash: Buffer | null;
  /** Seconds between two polls, as the printer says or the server measures; null if not known. */
  poll_seconds: number | null;
  paper: Generated<PaperState>;
  cover: Generated<PrinterCoverState>;
  /** The printer's present fault, because of which it does not print; null: no fault is known. */
  fault: PrintFault | null;
  /** The printer's or the network's own text about the fault. */
  fault_detail: string | null;
  fault_since: NullableTime;
  /** The `fault_since` of the last fault that was reported to ALERT_WEBHOOK_URL. Each fault is reported once. */
  fault_told: NullableTime;
  last_seen_at: NullableTime;
  asked_at: NullableTime;
  created_at: Time;
  /** When the printer was removed. The row stays, because the print ledger refers to it. */
  deleted_at: NullableTime;
}

/** The print ledger. Each row is one receipt for one printer, or another job for a printer. */
export interface PrintsTable {
  id: string;
  store_id: string;
  /** The printed order; null: the print has no order, such as a draft or a test page. */
  order_id: string | null;
  /** The printer; null if the shop had none for the print. */
  printer_id: string | null;
  purpose: Generated<PrintPurpose>;
  copy: PrintCopy;
  status: PrintStatus;
  /**
   * The event that caused the print. If a printer prints several `copies`, each copy has a row with the same event, and
   * its own number `nth`.
   */
  trigger: string | null;
  nth: Generated<number>;
  is_reprint: Generated<boolean>;
  /** The id of another printer's print that this print replaces; null: it replaces none. */
  moved_from_id: string | null;
  due_at: Time;
  /** The time after which the print is not made, because it would be useless. */
  expires_at: NullableTime;
  /** The number of leases so far. */
  attempts: Generated<number>;
  /** The number of attempts that may be on paper, although the printer has not confirmed them. */
  unsure: Generated<number>;
  /** Whether the newest paper that the printer may have printed says POSSIBLE DUPLICATE. */
  is_marked: Generated<boolean>;
  /**
   * When a failed or unknown print is queued again. If the printer's fault ends earlier, this time is changed to the
   * present. null: no retry was ever scheduled.
   */
  retry_at: NullableTime;
  /** The id of the last lease, which stays after the lease's end for late reports. */
  lease_id: string | null;
  /** The holder of the last lease: a device, or an instance of the server. */
  leased_by: string | null;
  /** The end of the lease. Then a claimed print is queued again, and a sent print becomes unknown. */
  lease_until: NullableTime;
  claimed_at: NullableTime;
  /** When `source` was created. */
  drawn_at: NullableTime;
  /** The order's promised time when `source` was created. */
  promised_at: NullableTime;
  sent_at: NullableTime;
  /** When the print reached its last status; null while it still needs work. */
  ended_at: NullableTime;
  /** The receiptline source; null before it is created, and again after 30 days. */
  source: string | null;
  fault: PrintFault | null;
  /** The printer's or the network's own text about the fault. */
  fault_detail: string | null;
  /** The fault in words; earlier releases wrote it. */
  error: string | null;
  created_at: Time;
  printed_at: NullableTime;
  /** When a person marked the print as read on the board. */
  read_at: NullableTime;
  read_by: string | null;
}

/** Releases of the app. Withdrawn ones stay, so that they can be looked up. */
export interface AppReleasesTable {
  id: string;
  platform: string;
  version: string;
  download_url: string;
  sha256: string;
  size: ColumnType<string, number, number>;
  notes: string;
  /** The facts that were read from the app's file; null for an older release. */
  facts: NullableJson<ApkFacts>;
  created_at: Time;
  published_at: NullableTime;
  withdrawn_at: NullableTime;
}

export interface AppFilesTable {
  sha256: string;
  size: ColumnType<string, number, number>;
  facts: Json<ApkFacts>;
  created_at: Time;
}

/** The installed apps, each with the version that last asked for updates. */
export interface AppInstallsTable {
  /** SHA-256 of the random id that an installed app gives itself. */
  install_hash: Buffer;
  platform: string;
  version: string;
  seen_at: Time;
}

/** The certificates with which Google Play signs the apps that it distributes. */
export interface AppPlaySigningTable {
  platform: string;
  package: string;
  signer: string;
  changed_at: Time;
}

/** Tablets and browsers that are signed in as an order board, and not as a person. */
export interface DevicesTable {
  id: string;
  store_id: string;
  kind: DeviceKind;
  name: string;
  /** The station that the board shows; empty: all. */
  station: Generated<string>;
  token_hash: Buffer;
  state: ColumnType<DeviceState, string | undefined, string>;
  created_at: Time;
  last_seen_at: Time;
  revoked_at: NullableTime;
}

/** Codes by which a tablet or browser becomes a device; each can be used once. */
export interface DeviceCodesTable {
  code_hash: Buffer;
  store_id: string;
  name: string;
  station: string;
  expires_at: Time;
}

/** Imports of menus from files. All changes of an import are made together, in the background. */
export interface MenuImportsTable {
  id: string;
  store_id: string;
  created_by: string | null;
  file_name: string;
  state: ImportState;
  changes: Json<MenuChangeCall[]>;
  undo: Json<MenuChangeCall[]>;
  total: number;
  done: Generated<number>;
  error: string | null;
  failed_change: number | null;
  created_at: Time;
  finished_at: NullableTime;
}

/** Menus that were read from a file or page and are not imported yet. */
export interface MenuDraftsTable {
  id: string;
  store_id: string;
  file_name: string;
  /**
   * The SHA-256 of the file or of the page's address. If somebody opens the same file or page again, the hash finds the
   * stored draft.
   */
  file_hash: string;
  /** The folded headings of a spreadsheet, and how its columns were read (JSON). */
  header_shape: string | null;
  columns: string | null;
  /** The draft with the answers so far (JSON); removed a week after the last answer, or when it is imported. */
  content: string | null;
  updated_at: Time;
  imported_at: NullableTime;
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
 * The sent values of audit lines, for the search. A trigger adds a row for each line whose values contain a word of at
 * least three characters.
 */
export interface AuditSearchTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  words: ColumnType<string, never, never>;
}

/**
 * The values that were sent with each call of the audit log; a trigger adds them. They are erased with the person whom
 * they name.
 */
export interface AuditDetailsTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  /**
   * Random bytes that are hashed with the values. They are erased together with the values, so that the digest in the
   * line reveals nothing.
   */
  salt: ColumnType<Buffer, never, never>;
  detail: ColumnType<Record<string, unknown>, never, never>;
}

/** The position of each audit log entry in its hash chain (`audit.ts`). */
export interface AuditChainTable {
  position: ColumnType<string, never, never>;
  id: ColumnType<string, never, never>;
  hash: ColumnType<Buffer, never, never>;
}

/** The audit log. Triggers refuse updates and deletions, except of old lines (`deleteAuditBefore`). */
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
   * The request's body without secrets and personal details. Only inserts set the column, and a trigger moves it to
   * `audit_details`.
   */
  detail: ColumnType<null, string | null, never>;
  /** The outcome of a refused call; null: the call succeeded. */
  outcome: ColumnType<RefusedCallOutcome | null, RefusedCallOutcome | null | undefined, never>;
  detail_digest: ColumnType<Buffer | null, never, never>;
  request_id: string;
}

/**
 * The attempts to back up the shop into its data folder, ordered by `id`, because clocks jump. `state`: the state of
 * the backup; null: the attempt has made none. `removed_at`: when the backup was deleted.
 */
export interface BackupsTable {
  id: Generated<string>;
  step: 'waiting' | 'copying' | 'proving' | 'sending' | 'ended';
  began_at: Time;
  number: number | null;
  made_at: NullableTime;
  bytes: ColumnType<string | null, number | null | undefined, number | null>;
  state: 'unproven' | 'good' | 'damaged' | null;
  reason: 'no_room' | 'failed' | 'interrupted' | 'damaged' | null;
  /** A text in English for the person who administers the machine. */
  detail: string | null;
  removed_at: NullableTime;
}

export interface RestoresTable {
  epoch: Generated<string>;
  copy_number: number;
  copy_made_at: ColumnType<Date, Date | string>;
  restored_at: Date;
  continued_at: Date | null;
}

/**
 * For each card account, the progress of reading the payments that are newer than the restored backup. Only the last
 * restore has rows.
 */
export interface ProviderReadingsTable {
  key_set: string;
  since: Time;
  /** When the provider is asked next; null: all was read. */
  check_at: NullableTime;
  answered_at: NullableTime;
  /** The number of payments that the provider has listed in the present reading. */
  payments: Generated<number>;
  /** The number of orders that were compared in the present reading. */
  orders: Generated<number>;
  /** Failed attempts since the last answer. */
  tries: Generated<number>;
  failure: ProviderReadingFailure | null;
  /** The provider's message about the failure. */
  said: string | null;
}

/** Payments at a provider that the restored backup does not have. Amounts are in minor units. */
export interface UnknownPaymentsTable {
  /** The shop's id of the payment, as the provider stores it. */
  id: string;
  key_set: string;
  reference: string;
  intent: string | null;
  description: string | null;
  state: ProviderState;
  amount: number;
  captured: number;
  refunded: number;
  currency: string;
  dispute_status: DisputeStatus | null;
  created_at: Time;
  seen_at: Time;
}

/**
 * Erased people and orders, by id. After the shop is restored from an earlier backup, the erasure is repeated at
 * `due_at`. Null: no repetition is due.
 */
export interface ErasuresTable {
  number: Generated<string>;
  kind: ErasureKind;
  subject: string;
  erased_at: Generated<Date>;
  due_at: NullableTime;
}

export interface CopyFoldersTable {
  path: string;
  /** The erasure list beside the folder's backups has all erasures up to this number. */
  noted: ColumnType<string, string | number | undefined, string | number>;
  check_at: ColumnType<Date, Date | undefined, Date>;
}

/** One row at most: the key pair that seals backups. The passphrase encrypts its private key. */
export interface BackupKeysTable {
  id: string;
  recipient: string;
  sealed_key: string;
  /** The key that signs lists of backups; encrypted, or null if it is in a file (`secret-store.ts`). */
  secret: Buffer | null;
  made_at: Time;
  /** When the owner proved that they have the recovery sheet with the passphrase. */
  sheet_confirmed_at: NullableTime;
  is_only: Generated<boolean>;
}

/** One row at most: the second backup location. */
export interface BackupPlacesTable {
  id: string;
  /** A folder's path, or `s3://bucket/prefix`. */
  address: string;
  endpoint: string | null;
  region: string | null;
  access_key_id: string | null;
  /** The bucket's secret key, encrypted; null: it is in a file or in the settings, or the location is a folder. */
  secret: Buffer | null;
  is_from_settings: boolean;
  set_at: Time;
  sent_at: NullableTime;
  /** The number of the newest backup at the location; null: none yet. */
  sent_number: number | null;
  copies: Generated<number>;
  /** Why the last backup was not sent, or which backups at the location lack files; null: neither. */
  problem: string | null;
  /** When the last attempt to send the newest backup failed; null: the backup was sent, or there is none. */
  failed_at: NullableTime;
  /** When the owner was alerted that no backup arrives at the location; null: no alert since the last one arrived. */
  told_at: NullableTime;
  is_only: Generated<boolean>;
}

/** The encrypted files at second backup locations. Without the passphrase nobody can tell these files apart. */
export interface BackupObjectsTable {
  place: string;
  /** The hash of the unencrypted file. */
  sha256: string;
  name: string;
  size: ColumnType<string, number, number>;
}

/** The instances on this database. An instance counts as ended after a minute without a heartbeat. */
export interface InstancesTable {
  id: string;
  store_id: string | null;
  /** The host of the shop's public address; null: the address is this machine's own, as in a trial of Hatch. */
  address: string | null;
  /** A digest of the address of the instance's Redis; empty if it has none. */
  redis: string;
  heard_at: Date;
}
