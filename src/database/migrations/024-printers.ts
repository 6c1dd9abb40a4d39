import { sql, type Kysely } from 'kysely';

/**
 * Printers, and what the ledger needs to print on them. What an earlier version wrote into the ledger is over: nothing was
 * connected that could have printed it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table printers (
  id uuid primary key,
  store_id uuid not null references stores,
  name text not null,
  kind text not null check (kind in ('star_cloudprnt', 'epson_sdp', 'network', 'browser', 'system')),
  address text not null default '',
  allows_private_address boolean not null default false,
  profile text not null,
  width_mm int not null check (width_mm in (58, 80)),
  receipts text[] not null,
  stations text[] not null default '{}',
  fulfilment_types text[] not null default '{}',
  channels text[] not null default '{}',
  copies int not null default 1 check (copies between 1 and 5),
  backup_printer_id uuid references printers,
  opens_drawer boolean not null default false,
  sounds_buzzer boolean not null default false,
  secret_hash bytea,
  poll_seconds int not null default 5,
  paper text not null default 'unknown' check (paper in ('unknown', 'ok', 'low', 'out')),
  cover text not null default 'unknown' check (cover in ('unknown', 'closed', 'open')),
  fault text,
  fault_detail text,
  fault_since timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index printers_of_store on printers (store_id) where deleted_at is null;

alter table prints add column printer_id uuid references printers;
alter table prints add column purpose text not null default 'receipt'
  check (purpose in ('receipt', 'draft', 'test', 'drawer'));
alter table prints add column trigger text;
alter table prints add column nth int not null default 1;
alter table prints add column is_reprint boolean not null default false;
alter table prints add column moved_from_id uuid references prints on delete set null;
alter table prints add column attempts int not null default 0;
alter table prints add column unsure int not null default 0;
alter table prints add column retry_at timestamptz;
alter table prints add column expires_at timestamptz;
alter table prints add column lease_id uuid;
alter table prints add column leased_by text;
alter table prints add column lease_until timestamptz;
alter table prints add column claimed_at timestamptz;
alter table prints add column drawn_at timestamptz;
alter table prints add column promised_at timestamptz;
alter table prints add column sent_at timestamptz;
alter table prints add column ended_at timestamptz;
alter table prints add column fault text;
alter table prints add column read_at timestamptz;
alter table prints add column read_by text;

update prints set status = 'expired' where status in ('queued', 'claimed');
update prints set ended_at = coalesce(printed_at, created_at);

drop index prints_open;
create index prints_open on prints (printer_id, due_at) where ended_at is null;
create index prints_of_store on prints (store_id, created_at);
create index prints_with_paper on prints (created_at) where source is not null;
create unique index prints_once on prints (order_id, purpose, copy, printer_id, trigger, nth) where moved_from_id is null;
create unique index prints_drawer_once on prints (order_id) where purpose = 'drawer' and moved_from_id is null;
create unique index prints_moved_once on prints (moved_from_id);
create unique index prints_busy on prints (printer_id) where ended_at is null and status in ('claimed', 'sent');
`,
    )
    .execute(db);
}
