import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table stores (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  legal_name text not null default '',
  phone text not null default '',
  email text not null default '',
  address jsonb not null default '{"line1":"","line2":"","city":"","postcode":""}',
  latitude double precision not null default 52.37,
  longitude double precision not null default -1.26,
  currency text not null default 'GBP',
  timezone text not null default 'Europe/London',
  day_starts_at text not null default '05:00',
  operational_hours jsonb not null default '[]',
  closures jsonb not null default '[]',
  is_accepting_orders boolean not null default true,
  paused_until timestamptz,
  pause_reason text,
  busy_extra_minutes int not null default 0,
  prep_minutes int not null default 20,
  answer_minutes int not null default 10,
  auto_accept boolean not null default false,
  last_order_minutes int not null default 0,
  collection_enabled boolean not null default true,
  delivery_enabled boolean not null default false,
  delivery_zones jsonb not null default '[]',
  slot_minutes int not null default 15,
  max_orders_per_slot int,
  preorder_days int not null default 1,
  payment_methods jsonb not null default '{"collection":["cash"],"delivery":["cash"]}',
  cash_max int,
  service_fee int not null default 0,
  bag_fee int not null default 0,
  vat_number text,
  guest_checkout boolean not null default false,
  google_review_url text,
  receipt_header text not null default '',
  receipt_footer text not null default '',
  logo text,
  is_demo boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index stores_name on stores (lower(name)) where deleted_at is null;

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  phone text not null default '',
  role text not null check (role in ('admin', 'store_admin', 'customer')),
  password_hash text,
  store_ids uuid[] not null default '{}',
  addresses jsonb not null default '[]',
  allergies text[] not null default '{}',
  locale text not null default 'en',
  email_verified_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table sign_ins (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_ins_user on sign_ins (user_id);

create table menus (
  id uuid primary key,
  store_id uuid not null references stores,
  name text not null,
  description text not null default '',
  is_active boolean not null default true,
  position int not null,
  availability jsonb
);
create index menus_store on menus (store_id, position);

create table categories (
  id uuid primary key,
  menu_id uuid not null references menus on delete cascade,
  name text not null,
  description text not null default '',
  image text,
  is_active boolean not null default true,
  position int not null
);
create index categories_menu on categories (menu_id, position);

create table items (
  id uuid primary key,
  store_id uuid not null references stores,
  name text not null,
  kitchen_name text,
  description text not null default '',
  image text,
  price int not null check (price >= 0),
  vat_rate int not null check (vat_rate between 0 and 10000),
  is_active boolean not null default true,
  is_available boolean not null default true,
  unavailable_until timestamptz,
  allergens jsonb,
  dietary text[] not null default '{}',
  spice_level int not null default 0,
  min_age int,
  prep_minutes int,
  max_per_order int,
  station text,
  deleted_at timestamptz
);

create table category_items (
  category_id uuid not null references categories on delete cascade,
  item_id uuid not null references items on delete cascade,
  position int not null,
  primary key (category_id, item_id)
);
create index category_items_item on category_items (item_id);

create table option_groups (
  id uuid primary key,
  store_id uuid not null references stores,
  name text not null,
  min_select int not null check (min_select >= 0),
  max_select int not null check (max_select >= min_select),
  free_select int not null default 0 check (free_select >= 0),
  max_per_option int not null default 1 check (max_per_option >= 1)
);

create table options (
  id uuid primary key,
  store_id uuid not null references stores,
  name text not null,
  price int not null check (price >= 0),
  is_default boolean not null default false,
  is_available boolean not null default true,
  unavailable_until timestamptz,
  vat_rate int check (vat_rate between 0 and 10000),
  allergens jsonb
);

create table option_group_options (
  option_group_id uuid not null references option_groups on delete cascade,
  option_id uuid not null references options on delete cascade,
  position int not null,
  price int check (price >= 0),
  primary key (option_group_id, option_id)
);
create index option_group_options_option on option_group_options (option_id);

create table item_option_groups (
  item_id uuid not null references items on delete cascade,
  option_group_id uuid not null references option_groups on delete cascade,
  position int not null,
  shown_when_option_id uuid references options on delete set null,
  primary key (item_id, option_group_id)
);
create index item_option_groups_group on item_option_groups (option_group_id);

create table orders (
  id uuid primary key,
  store_id uuid not null references stores,
  trading_day date not null,
  number int not null,
  version int not null default 1,
  channel text not null,
  placed_by uuid references users on delete set null,
  customer_id uuid references users on delete set null,
  session uuid not null unique,
  request_hash bytea not null,
  status text not null,
  payment_status text not null,
  payment_method text not null,
  fulfilment_type text not null,
  contact jsonb not null,
  address jsonb,
  requested_for timestamptz,
  promised_at timestamptz,
  slot_at timestamptz,
  note text not null default '',
  allergy_note text not null default '',
  lines jsonb not null,
  subtotal int not null,
  discounts jsonb not null default '[]',
  fees jsonb not null default '[]',
  tip int not null default 0,
  total int not null check (total >= 0),
  vat jsonb not null,
  reject_reason text,
  created_at timestamptz not null,
  placed_at timestamptz,
  accepted_at timestamptz,
  packed_at timestamptz,
  left_at timestamptz,
  completed_at timestamptz,
  closed_at timestamptz,
  answer_by timestamptz,
  expires_at timestamptz,
  unique (store_id, trading_day, number)
);
create index orders_customer on orders (customer_id, created_at desc) where customer_id is not null;
create index orders_open on orders (store_id, created_at) where status in ('pending_payment', 'placed', 'accepted', 'packed', 'out_for_delivery');
create index orders_slot on orders (store_id, slot_at) where slot_at is not null;

create table order_history (
  order_id uuid not null references orders on delete cascade,
  version int not null,
  from_status text,
  to_status text not null,
  actor text not null,
  actor_id uuid,
  reason text,
  at timestamptz not null,
  primary key (order_id, version)
);

create table order_numbers (
  store_id uuid not null,
  trading_day date not null,
  last_number int not null,
  primary key (store_id, trading_day)
) with (fillfactor = 50);

create table channel_sequences (
  channel text primary key,
  sequence bigint not null
) with (fillfactor = 50);

create table payments (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  provider text not null,
  status text not null,
  amount int not null,
  currency text not null,
  reference text,
  redirect_url text,
  failure text,
  owed text,
  check_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index payments_order on payments (order_id);
create unique index payments_reference on payments (provider, reference) where reference is not null;
create unique index payments_one_open on payments (order_id) where status = 'pending' and owed is null;
create index payments_check on payments (check_at) where check_at is not null;

create table installation_secrets (
  name text primary key,
  value text not null
);

create table payment_events (
  provider text not null,
  id text not null,
  received_at timestamptz not null,
  primary key (provider, id)
);

create table sandbox_payments (
  reference text primary key,
  idempotency_key text not null unique,
  merchant_id text not null,
  merchant_name text not null,
  amount int not null,
  currency text not null,
  description text not null,
  return_url text not null,
  state text not null,
  created_at timestamptz not null
);

create table prints (
  id uuid primary key,
  store_id uuid not null references stores,
  order_id uuid references orders on delete cascade,
  copy text not null,
  status text not null,
  due_at timestamptz not null,
  source text,
  error text,
  created_at timestamptz not null,
  printed_at timestamptz
);
create index prints_order on prints (order_id);
create index prints_open on prints (due_at) where status in ('queued', 'claimed');

create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  event text not null,
  store_id uuid not null,
  subject_id uuid not null,
  sequence bigint
);

create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor_id uuid,
  actor text not null,
  role text not null,
  store_id uuid,
  action text not null,
  subject_id uuid,
  detail jsonb,
  request_id text not null
);
create index audit_log_at on audit_log (at desc);
`,
    )
    .execute(db);
}
