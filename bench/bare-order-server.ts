import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { reportTo } from './processes.ts';

/**
 * The reference: accepts the same body without checking or pricing it, and writes the rows that an order needs (the
 * order with its number, its history, its event in the outbox) in one statement.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const statement = `
with counter as (
  insert into order_numbers as n (store_id, trading_day, last_number) values ($2, current_date, 1)
  on conflict (store_id, trading_day) do update set last_number = n.last_number + 1 returning last_number
), made as (
  insert into orders (id, store_id, trading_day, number, channel, session_hash, request_hash, status, payment_status, payment_method,
    fulfilment_type, contact, lines, subtotal, total, vat, created_at, placed_at, answer_by)
  select $1, $2, current_date, last_number, 'web', sha256(convert_to($3, 'UTF8')), $4, 'placed', 'unpaid', 'cash', 'collection', $5, $6, 0, 0, '[]', now(), now(), now()
  from counter returning id, number, created_at
), history as (
  insert into order_history (order_id, version, to_status, actor, at) select id, 1, 'placed', 'guest', created_at from made
), counted as (
  insert into channel_sequences as c (channel, sequence) values ('reference', 1)
  on conflict (channel) do update set sequence = c.sequence + 1 returning sequence
), owed as (
  insert into outbox (topic, event, store_id, subject_id, sequence) select 'order', 'order.placed', $2, id, sequence from made, counted
)
select id, number from made`;
const hash = Buffer.alloc(32);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const values = [
      randomUUIDv7(),
      body['store_id'],
      body['session'],
      hash,
      JSON.stringify(body['contact']),
      process.env['LINES'],
    ];
    pool.query({ name: 'place', text: statement, values }).then(
      ({ rows }) => {
        const answer = JSON.stringify({ data: { ...body, ...rows[0] } });
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
        response.end(answer);
      },
      (error: unknown) => {
        console.error(error);
        response.writeHead(500).end();
      },
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  reportTo(process, `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
});
process.on('SIGTERM', () => process.exit(0));
