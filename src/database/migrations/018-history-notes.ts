import { sql, type Kysely } from 'kysely';

/**
 * The application's notes in an order's history become data; they were sentences. The sentences stay: instances
 * of the last version may still read them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table order_history add column note jsonb;

-- A note about money leaves the status as it is, which no step does that a person gives a reason for.
with money as (
  select h.order_id, h.version, h.reason, s.currency,
    coalesce(
      regexp_match(h.reason, '^Refund of ([^:]*\\d[^:]*): (.*)$'),
      regexp_match(h.reason, '^The refund of (.*\\d.*) failed at the payment provider$'),
      regexp_match(h.reason, '^The refund of (.*\\d.*) was given back by hand$')
    ) as parts
  from order_history h join orders o on o.id = h.order_id join stores s on s.id = o.store_id
  where h.from_status = h.to_status and (
    h.reason = 'Paid in another way' or h.reason like 'Refund of %' or h.reason like 'The refund of %')
)
update order_history h set note =
  case
    when money.reason = 'Paid in another way' then jsonb_build_object('kind', 'marked_paid')
    else jsonb_build_object(
      'kind', case
        when money.reason like 'Refund of %' then 'refund'
        when money.reason like '% by hand' then 'refund_by_hand'
        else 'refund_failed' end,
      -- All of a currency's decimals were written, so its digits are minor units.
      'amount', regexp_replace(money.parts[1], '\\D', '', 'g')::int,
      'currency', money.currency
    ) || case when money.reason like 'Refund of %' then jsonb_build_object('reason', money.parts[2]) else '{}' end
  end
from money
where money.order_id = h.order_id and money.version = h.version
  and (money.parts is not null or money.reason = 'Paid in another way');
`,
    )
    .execute(db);
  await carryOverridden(db);
}

/** Orders that staff took in spite of a warning: the warning follows these words. */
async function carryOverridden(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ order_id: string; version: number; reason: string; currency: string }>`
    select h.order_id, h.version, h.reason, s.currency
    from order_history h join orders o on o.id = h.order_id join stores s on s.id = o.store_id
    where h.to_status = 'accepted' and (h.reason like 'Taken all the same: %' or h.reason like 'Przyjęto mimo to: %')
  `.execute(db);
  for (const row of rows) {
    const problems = readProblems(row.reason.replace(/^[^:]*: /, ''), row.currency);
    if (!problems) continue;
    const note = JSON.stringify({ kind: 'overridden', problems });
    await sql`update order_history set note = ${note} where order_id = ${row.order_id} and version = ${row.version}`.execute(
      db,
    );
  }
}

type Details = Record<string, string | number>;

const time = String.raw`(\d\d:\d\d)`;
const sentences: readonly [pattern: string, read: (values: readonly string[], currency: string) => Details][] = [
  ['We are not taking orders at the moment\\.', () => ({ kind: 'not_accepting' })],
  ['Nie przyjmujemy teraz zamówień\\.', () => ({ kind: 'not_accepting' })],
  ['We cannot have it ready at that time\\. Choose one of the times offered\\.', () => ({ kind: 'unavailable' })],
  ['Nie zdążymy na tę godzinę\\. Wybierz jedną z proponowanych\\.', () => ({ kind: 'unavailable' })],
  ['We are fully booked for now\\. Choose a later time\\.', () => ({ kind: 'fully_booked' })],
  ['Na razie nie mamy wolnych miejsc\\. Wybierz późniejszą godzinę\\.', () => ({ kind: 'fully_booked' })],
  ['We have taken the last orders for now\\.', () => ({ kind: 'last_orders' })],
  ['Przyjęliśmy już ostatnie zamówienia\\.', () => ({ kind: 'last_orders' })],
  ['We are closed at the moment\\.', () => ({ kind: 'closed' })],
  ['Jest teraz zamknięte\\.', () => ({ kind: 'closed' })],
  [`We are not taking orders until ${time}\\.`, at('paused')],
  [`Nie przyjmujemy zamówień do ${time}\\.`, at('paused')],
  [`${time} is full\\. Choose another time\\.`, at('slot_full')],
  [`Godzina ${time} jest już zajęta\\. Wybierz inną\\.`, at('slot_full')],
  [`${time} jest już zajęta\\. Wybierz inną godzinę\\.`, at('slot_full')],
  [`We are closed until ${time}\\.`, at('closed_until')],
  [`Zamknięte do ${time}\\.`, at('closed_until')],
  [`${time} is too soon\\. The earliest is ${time}\\.`, tooSoon],
  [`${time} to za wcześnie\\. Najwcześniej ${time}\\.`, tooSoon],
  ['We take cash for orders up to (.*?\\d.*?)\\. Please choose another way to pay\\.', cashLimit],
  ['Cash is taken up to (.*?\\d.*?)\\. Please choose another way to pay\\.', cashLimit],
  ['Gotówkę przyjmujemy do (.*?\\d.*?)\\. Wybierz inny sposób płatności\\.', cashLimit],
];

function at(kind: string) {
  return ([clock = '']: readonly string[]): Details => ({ kind, time: clock });
}

function tooSoon([clock = '', earliest = '']: readonly string[]): Details {
  return { kind: 'too_soon', time: clock, earliest };
}

function cashLimit([amount = '']: readonly string[], currency: string): Details {
  return { kind: 'cash_limit', amount: Number(amount.replaceAll(/\D/g, '')), currency };
}

/** null for any other sentence, which stays as it is. */
function readProblems(text: string, currency: string): Details[] | null {
  const problems: Details[] = [];
  for (let rest = text; rest !== '';) {
    const before = rest;
    for (const [pattern, read] of sentences) {
      const found = new RegExp(`^${pattern} ?`).exec(rest);
      if (!found) continue;
      problems.push(read(found.slice(1), currency));
      rest = rest.slice(found[0].length);
      break;
    }
    if (rest === before) return null;
  }
  return problems;
}
