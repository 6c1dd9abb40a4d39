import { appendFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readsGrowing } from '#testing/plan-faults.ts';

/** A statement as the product sent it. */
export interface Recorded {
  text: string;
  /** As PostgreSQL gets them; bytes in base64. */
  values: (string | null | { base64: string })[];
  /** Where in the product it was sent: `src/audit/server/handlers.ts:41`. */
  from: string;
}

/** The folder to record into, for this process and its children; without it nothing is recorded. */
export const recordingVariable = 'HATCH_STATEMENTS';

/** How the driver turns a value into what it sends; its types lack it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

const record = 'recordStatement';
const root = fileURLToPath(new URL('../../', import.meta.url));
/** What passes statements on, and does not write them. */
const passesOn = /^src\/database\/(prepared-pool|connect|group-commit|transaction)\.ts$/;
const ofTests = /(^|\/)testing\/|\.test\.ts:|^(e2e|bench|scripts)\//;

/**
 * Writes down every different statement that the product sends to a table that grows from now on, once with its values,
 * in a file of this process. Those that tests write themselves are left out. Returns what ends it.
 */
export function recordStatements(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.jsonl`);
  const seen = new Set<string>();
  const shapes = new Map<string, string | null>();
  /** Null: it goes to no table that grows. A process sends the same few texts again and again. */
  const shapeOnce = (text: string): string | null => {
    const known = shapes.get(text);
    if (known !== undefined) return known;
    const shape = readsGrowing({ text }) ? shapeOfText(text) : null;
    shapes.set(text, shape);
    return shape;
  };
  const { query } = pg.Client.prototype;
  const sent = query as unknown as (...args: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const statement = statementOf(args);
    const shape = statement && shapeOnce(statement.text);
    if (statement && shape) {
      const key = withNulls(shape, statement.values);
      const from = seen.has(key) ? null : senderOf();
      if (from !== null && !ofTests.test(from)) {
        seen.add(key);
        const values = statement.values.map((value) => encode(prepareValue(value)));
        appendFileSync(file, `${JSON.stringify({ text: statement.text, values, from } satisfies Recorded)}\n`);
      }
    }
    return sent.apply(this, args);
  };
  Object.defineProperty(recording, 'name', { value: record });
  pg.Client.prototype.query = recording as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
}

/** Whether this process records already. */
export function isRecording(): boolean {
  return pg.Client.prototype.query.name === record;
}

function statementOf([first, second]: unknown[]): { text: string; values: unknown[] } | null {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  if (first === null || typeof first !== 'object' || !('text' in first) || typeof first.text !== 'string') return null;
  const values = 'values' in first && Array.isArray(first.values) ? first.values : [];
  return { text: first.text, values };
}

function encode(value: unknown): Recorded['values'][number] {
  if (value === null || value === undefined) return null;
  return Buffer.isBuffer(value) ? { base64: value.toString('base64') } : String(value);
}

/** Statements that differ in how long their lists are have one shape, unless other values of theirs are null. */
export function shapeOf(text: string, values: readonly unknown[]): string {
  return withNulls(shapeOfText(text), values);
}

function shapeOfText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\$(, ?\$)+/g, '$, $')
    .replaceAll(/(\([^()]*\))(, ?\1)+/g, '$1, $1');
}

function withNulls(shape: string, values: readonly unknown[]): string {
  const nulls = values.flatMap((value, index) => (value === null ? index : []));
  return values.length > 40 || nulls.length === 0 ? shape : `${shape} ${nulls.join()}`;
}

/** The nearest file of this repository that sent the statement. Null: none is known. */
function senderOf(): string | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack = '' } = new Error('sender');
  Error.stackTraceLimit = limit;
  for (const line of stack.split('\n')) {
    const place = /(?:file:\/\/)?(\/[^()]*?):(\d+):\d+\)?$/.exec(line);
    if (!place?.[1]?.startsWith(root) || place[1].includes('/node_modules/')) continue;
    const path = relative(root, place[1]);
    if (passesOn.test(path) || path === 'src/testing/record-statements.ts' || path === 'src/testing/one-connection.ts')
      continue;
    return `${path}:${place[2]}`;
  }
  return null;
}
