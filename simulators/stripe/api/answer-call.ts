import type { IncomingMessage } from 'node:http';
import { accountRoutes } from '../routes/account-routes.ts';
import { checkoutRoutes } from '../routes/checkout-routes.ts';
import { customerRoutes } from '../routes/customer-routes.ts';
import { paymentRoutes } from '../routes/payment-routes.ts';
import { webhookRoutes } from '../routes/webhook-routes.ts';
import type { World } from '../world.ts';
import { expand } from './expand.ts';
import { inOtherMode, invalid, serverError, StripeFailure } from './failure.ts';
import { type Fault, type Faults, refuseBefore } from './faults.ts';
import { type FormValue, readForm } from './form-encoding.ts';
import { type Answer, createIdempotency, type Idempotency } from './idempotency.ts';
import { booksOf, digest, type Key, type Keys } from './keys.ts';
import { findRoute, type Route } from './route.ts';
import { apiVersion, faultsOfAnswer, faultsOfError, readParams } from './validation.ts';

/** A request and its answer, for tests. */
export interface LogEntry {
  id: string;
  at: number;
  method: string;
  path: string;
  params: Record<string, unknown>;
  version: string;
  idempotencyKey: string | null;
  account: string | null;
  livemode: boolean | null;
  status: number | null;
  answer: unknown;
  isReplay: boolean;
  fault: string | null;
}

/** Something that a request or an answer had and the types of the `stripe` package do not have. */
export interface Violation {
  request: string;
  where: 'request' | 'answer' | 'event';
  problem: string;
}

export interface Desk {
  world: World;
  keys: Keys;
  faults: Faults;
  idempotency: Idempotency;
  log: LogEntry[];
  violations: Violation[];
  /** Lets what is due by the clock happen, if the clock has moved. */
  followClock(): void;
}

/** What becomes of a request: an answer, perhaps late, or none. */
export type Outcome =
  | { kind: 'answer'; answer: Answer; after: Promise<void> | null }
  | { kind: 'silence' }
  | { kind: 'reset' };

const routes: readonly Route[] = [
  ...checkoutRoutes,
  ...paymentRoutes,
  ...customerRoutes,
  ...webhookRoutes,
  ...accountRoutes,
];

export function createDesk(world: World, keys: Keys, faults: Faults, followClock: () => void): Desk {
  return { world, keys, faults, idempotency: createIdempotency(world), log: [], violations: [], followClock };
}

/** Answers one call of the API. */
export async function answerCall(desk: Desk, request: IncomingMessage, body: string): Promise<Outcome> {
  const { world } = desk;
  const url = new URL(request.url ?? '/', world.origin);
  const sent = readForm(request.method === 'GET' || request.method === 'DELETE' ? url.search.slice(1) : body);
  const entry: LogEntry = {
    id: world.newId('req', 14),
    at: world.now(),
    method: request.method ?? '',
    path: url.pathname,
    params: structuredClone(sent),
    version: headerOf(request, 'stripe-version') ?? apiVersion,
    idempotencyKey: headerOf(request, 'idempotency-key') ?? null,
    account: null,
    livemode: null,
    status: null,
    answer: null,
    isReplay: false,
    fault: null,
  };
  desk.log.push(entry);
  const fault = desk.faults.take(entry.method, entry.path);
  entry.fault = fault?.kind ?? null;
  if (fault?.kind === 'timeout_before') return { kind: 'silence' };
  if (fault?.kind === 'reset_before') return { kind: 'reset' };
  const { answer, after } = await work(desk, request, entry, sent, fault);
  if (answer.status >= 400) {
    for (const problem of faultsOfError(answer.body)) violation(desk, entry, 'answer', problem);
  }
  if (fault?.kind === 'timeout_after') return { kind: 'silence' };
  if (fault?.kind === 'reset_after') return { kind: 'reset' };
  entry.status = answer.status;
  entry.answer = answer.body;
  return { kind: 'answer', answer: { ...answer, headers: headersOf(entry, answer) }, after };
}

async function work(
  desk: Desk,
  request: IncomingMessage,
  entry: LogEntry,
  sent: Record<string, FormValue>,
  fault: Fault | undefined,
): Promise<{ answer: Answer; after: Promise<void> | null }> {
  let scope: string | null = null;
  try {
    checkVersion(desk, entry);
    const key = desk.keys.find(request.headers.authorization);
    Object.assign(entry, { account: key.account, livemode: key.livemode });
    const params = digest(JSON.stringify(sent));
    const task = prepare(desk, entry, key, sent);
    refuseBefore(fault);
    const idempotencyKey = entry.method === 'POST' ? entry.idempotencyKey : null;
    if (idempotencyKey !== null) {
      const place = `${key.account} ${key.livemode}`;
      const first = desk.idempotency.begin(place, idempotencyKey, entry.path, params);
      if (first) {
        entry.isReplay = true;
        return { answer: { ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } }, after: null };
      }
      scope = place;
    }
    if (fault?.kind === 'slow_work') await wait(fault.milliseconds);
    const answer = fault?.kind === 'error_after' ? failedAfter(task()) : task();
    if (scope === null || idempotencyKey === null) return { answer, after: lateness(fault) };
    const own = scope;
    const late = lateness(fault);
    if (late) void late.then(() => desk.idempotency.finish(own, idempotencyKey, answer));
    else desk.idempotency.finish(own, idempotencyKey, answer);
    return { answer, after: late };
  } catch (error) {
    if (error instanceof StripeFailure) return { answer: failureAnswer(desk, entry, error), after: null };
    if (scope !== null) desk.idempotency.forget(scope, entry.idempotencyKey ?? '');
    throw error;
  }
}

/**
 * Checks all that Stripe checks before it begins. The task it returns answers, also with a refusal of the work itself.
 */
function prepare(desk: Desk, entry: LogEntry, key: Key, sent: Record<string, FormValue>): () => Answer {
  const found = findRoute(routes, entry.method, entry.path);
  if (!found) {
    desk.violations.push({ request: `${entry.method} ${entry.path}`, where: 'request', problem: 'no such endpoint' });
    throw invalid(
      `Unrecognized request URL (${entry.method}: ${entry.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
      { status: 404 },
    );
  }
  const { route, id } = found;
  desk.keys.check(key, route.right);
  const refusal = route.params === null ? unknownParam(sent) : readParams(route.params, sent);
  if (refusal) {
    violation(desk, entry, 'request', refusal.message);
    throw refusal;
  }
  const { expand: paths = [], ...params } = sent as { expand?: string[] };
  const books = booksOf(desk.world, key.account, key.livemode);
  return () => {
    desk.followClock();
    desk.world.request = { id: entry.id, idempotencyKey: entry.idempotencyKey };
    try {
      const result = route.run({ world: desk.world, books, id, params: params as never, version: entry.version });
      const answer = expand(books, result, paths, (right) => desk.keys.check(key, right));
      for (const problem of faultsOfAnswer(answer)) violation(desk, entry, 'answer', problem);
      return { status: 200, body: answer, headers: {} };
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      if (error.body.param === 'not_implemented') violation(desk, entry, 'request', error.message);
      const isElsewhere = error.body.code === 'resource_missing' && isInOtherMode(desk, key, id);
      return failureAnswer(desk, entry, isElsewhere ? inOtherMode(error, key.livemode) : error);
    } finally {
      desk.world.request = null;
    }
  };
}

function isInOtherMode(desk: Desk, key: Key, id: string): boolean {
  return Object.values(booksOf(desk.world, key.account, !key.livemode).tables).some((table) => table.has(id));
}

function violation(desk: Desk, entry: LogEntry, where: Violation['where'], problem: string): void {
  desk.violations.push({ request: `${entry.method} ${entry.path}`, where, problem });
}

function unknownParam(sent: Record<string, FormValue>): StripeFailure | undefined {
  const [name] = Object.keys(sent);
  if (name === undefined) return undefined;
  return invalid(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
}

function checkVersion(desk: Desk, entry: LogEntry): void {
  if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(entry.version)) {
    throw invalid(`Invalid Stripe API version: ${entry.version}`);
  }
  if (entry.version !== apiVersion) {
    violation(desk, entry, 'request', `Answers have the form of ${apiVersion}, not of ${entry.version}`);
  }
}

/** The work is done, but what is answered, and kept for repeats, is an error. */
function failedAfter(answer: Answer): Answer {
  const { status, body } = serverError(500);
  return { status, body: { error: body }, headers: answer.headers };
}

function failureAnswer(desk: Desk, entry: LogEntry, { status, body, headers }: StripeFailure): Answer {
  const mode = entry.livemode ? '' : 'test/';
  const log = `https://dashboard.stripe.com/${mode}logs/${entry.id}?t=${Math.floor(desk.world.now() / 1000)}`;
  return { status, body: { error: { ...body, request_log_url: log } }, headers };
}

function headersOf(entry: LogEntry, answer: Answer): Record<string, string> {
  return {
    'content-type': 'application/json',
    'request-id': entry.id,
    'stripe-version': entry.version,
    ...(entry.idempotencyKey && { 'idempotency-key': entry.idempotencyKey }),
    ...answer.headers,
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function lateness(fault: Fault | undefined): Promise<void> | null {
  return fault?.kind === 'slow_answer' ? wait(fault.milliseconds) : null;
}

function wait(milliseconds = 1000): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
