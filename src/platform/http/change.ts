import type { ErrorCode } from '#platform/errors.ts';
import type { EndpointKey } from '#platform/http/endpoint.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { FastifyBaseLogger } from 'fastify';

/** A line of the audit log, as a call hands it over. */
export interface Change {
  viewer: Viewer;
  action: EndpointKey;
  params: Record<string, string>;
  body: unknown;
  answer: unknown;
  /** Left out: it was done. */
  outcome?: 'refused' | 'throttled' | 'failed';
  /** Of a note: the hourly limit of lines, 1 by default. */
  most?: number;
  /** As the row says. */
  answersScope?: true | undefined;
  requestId: string;
  at: Date;
}

export type Outcome = NonNullable<Change['outcome']>;

/** Lines about reads and refusals of staff. */
export interface Notes {
  /** Before the answer: no read stays unlogged. */
  write(change: Change): Promise<void>;
  /** After the answer. */
  note(change: Change): void;
}

/** The refusals of staff that the audit log records. */
export const outcomes: Partial<Record<ErrorCode, Outcome>> = {
  forbidden: 'refused',
  too_many_requests: 'throttled',
};

export function noteOf(
  { now }: { now(): Date },
  action: EndpointKey,
  by: Pick<Change, 'viewer' | 'params' | 'requestId'>,
  outcome?: Outcome,
  most = 1,
): Change {
  return { ...by, action, body: undefined, answer: null, at: now(), most, ...(outcome && { outcome }) };
}

/** Work after the commit, such as network calls. */
export type Effect = () => Promise<void> | void;

/** Adds an effect for after the commit; a rollback drops it. */
export type AfterCommit = (effect: Effect) => void;

/** Runs the effects one by one. A failing one is logged: the change is committed. */
export async function runEffects(effects: readonly Effect[], log: Pick<FastifyBaseLogger, 'error'>): Promise<void> {
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      log.error({ err: error }, 'after commit');
    }
  }
}
