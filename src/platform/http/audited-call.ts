import type { ErrorCode } from '#platform/errors.ts';
import type { EndpointKey } from '#platform/http/endpoint.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { FastifyBaseLogger } from 'fastify';

/** The facts of a call that a line of the audit log records. */
export interface AuditedCall {
  viewer: Viewer;
  action: EndpointKey;
  params: Record<string, string>;
  body: unknown;
  answer: unknown;
  /** The outcome of a refused call; missing if the call succeeded. */
  outcome?: 'refused' | 'throttled' | 'failed';
  /**
   * The maximum number of lines an hour that `ReadAndRefusalAudit` writes about the same call by the same person; 1 by default.
   */
  most?: number;
  answersScope?: true | undefined;
  requestId: string;
  at: Date;
}

export type RefusalOutcome = NonNullable<AuditedCall['outcome']>;

/** Writes lines of the audit log about reads by staff and refused calls of staff. */
export interface ReadAndRefusalAudit {
  /** Writes the line before the answer is sent, so that no read is missing. */
  write(change: AuditedCall): Promise<void>;
  /** Writes the line without delaying the answer; a failure is logged. */
  note(change: AuditedCall): void;
}

/** The error codes of refusals that the audit log records for staff, with the recorded outcome. */
export const auditOutcomeByError: Partial<Record<ErrorCode, RefusalOutcome>> = {
  forbidden: 'refused',
  too_many_requests: 'throttled',
};

export function buildAuditNote(
  { now }: { now(): Date },
  action: EndpointKey,
  by: Pick<AuditedCall, 'viewer' | 'params' | 'requestId'>,
  outcome?: RefusalOutcome,
  most = 1,
): AuditedCall {
  return { ...by, action, body: undefined, answer: null, at: now(), most, ...(outcome && { outcome }) };
}

/** Work after the commit, such as network calls. */
export type AfterCommitEffect = () => Promise<void> | void;

/** Adds an effect that runs after the commit; a rollback drops it. */
export type AfterCommit = (effect: AfterCommitEffect) => void;

/** Runs the effects one by one. A failed effect is only logged, because the change is committed. */
export async function runEffects(
  effects: readonly AfterCommitEffect[],
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      log.error({ err: error }, 'after commit');
    }
  }
}
