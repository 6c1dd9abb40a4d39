import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/**
 * The time of each printer's next job; one without is left out. A leased job counts as now: the printer may ask for it
 * again. With `printerId`, only of that one.
 */
export async function nextJobs(db: Db, printerId: string | null = null): Promise<Map<string, Date>> {
  const { rows } = await sql<{ printer_id: string; at: Date }>`
    select printer_id, min(case when status = 'queued' then due_at else created_at end) as at from prints
    where ended_at is null and status in ('queued', 'claimed', 'sent')
      and ${printerId === null ? sql`printer_id is not null` : sql`printer_id = ${printerId}`}
    group by printer_id`.execute(db);
  return new Map(rows.map((row) => [row.printer_id, row.at]));
}
