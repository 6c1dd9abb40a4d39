import type pg from 'pg';
import type { SoakLine } from '#printing/testing/soak/judge.ts';

type Client = Pick<pg.Client, 'query'>;

/** How many jobs the ledger has not come to an end with. */
export async function countOpen(client: Client): Promise<number> {
  const { rows } = await client.query<{ open: number }>(
    'select count(distinct order_id)::int as open from prints where ended_at is null',
  );
  return rows[0]?.open ?? 0;
}

interface Row {
  order_id: string;
  status: string;
  printer: string;
  printer_fault: string | null;
  attempts: number;
  unsure: number;
  fault: string | null;
  fault_detail: string | null;
  created_at: Date;
  claimed_at: Date | null;
  sent_at: Date | null;
  lease_until: Date | null;
  retry_at: Date | null;
  expires_at: Date | null;
  read_at: Date | null;
  ended_at: Date | null;
}

/** The ledger's lines of orders, by order. */
export async function readLines(client: Client, orderIds: readonly string[]): Promise<Map<string, SoakLine[]>> {
  const { rows } = await client.query<Row>(
    `select p.*, of_print.name as printer, of_print.fault as printer_fault
     from prints p left join printers of_print on of_print.id = p.printer_id
     where p.order_id = any($1) order by p.id`,
    [orderIds],
  );
  const lines = new Map<string, SoakLine[]>();
  for (const row of rows) {
    const line = { status: row.status, isEnded: row.ended_at !== null, words: wordsOf(row) };
    lines.set(row.order_id, [...(lines.get(row.order_id) ?? []), line]);
  }
  return lines;
}

/** The jobs that each printer has not ended, and what it says of itself. */
export async function waitingByPrinter(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ words: string }>(
    `select format('%s: %s open, last ended %s, %s', of_print.name, count(*) filter (where p.ended_at is null),
       coalesce(to_char(max(p.ended_at), 'HH24:MI:SS'), 'never'), coalesce(of_print.fault, 'well')) as words
     from prints p join printers of_print on of_print.id = p.printer_id
     group by of_print.id having count(*) filter (where p.ended_at is null) > 0
     order by count(*) filter (where p.ended_at is null) desc`,
  );
  return rows.map(({ words }) => words);
}

function wordsOf(row: Row): string {
  const times = (['created', 'claimed', 'sent', 'read', 'ended'] as const).flatMap((what) =>
    timeOf(what, row[`${what}_at`]),
  );
  const due = [
    ...timeOf('leased until', row.lease_until),
    ...timeOf('again at', row.retry_at),
    ...timeOf('expires', row.expires_at),
  ];
  const fault = row.fault === null ? [] : [`fault ${row.fault} ${row.fault_detail ?? ''}`.trim()];
  const printer = `${row.printer} (${row.printer_fault ?? 'well'} now)`;
  const counts = `attempts ${row.attempts}, unsure ${row.unsure}`;
  return [printer, counts, ...fault, ...times, ...(row.ended_at === null ? due : [])].join(', ');
}

function timeOf(what: string, at: Date | null): string[] {
  return at === null ? [] : [`${what} ${at.toISOString().slice(11, 23)}`];
}
