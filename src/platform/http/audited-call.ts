import type { ErrorCode } from '#platform/errors.ts';
import type { EndpointKey } from '#platform/http/endpoint.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { FastifyBaseLogger } from 'fastify';

export interface AuditedCall {
  viewer: Viewer;
  action: EndpointKey;
  params: Record<string, string>;
  body: unknown;
  answer: unknown;
  /** The outcome of a call without success; missing: the call succeeded. */
  outcome?: 'refused' | 'throttled' | 'failed';
  /**
   * The maximum number of audit lines an hour that `ReadAndRefusalAudit` writes when one person repeats a call; the
   * default is 1.
   */
  most?: number;
  answersScope?: true | undefined;
  requestId: string;
  at: Date;
}

export type RefusalOutcome = NonNullable<AuditedCall['outcome']>;

export interface ReadAndRefusalAudit {
  /** Writes the audit line of a read before the response is sent, so that the audit log has every read. */
  write(change: AuditedCall): Promise<void>;
  /** Writes the audit line without delaying the response; a failure is logged. */
  note(change: AuditedCall): void;
}

/** If a call of staff fails with one of these error codes, the audit log records the refusal with this outcome. */
export const auditOutcomeByError: Partial<Record<ErrorCode, RefusalOutcome>> = {
  forbidden: 'refused',
  too_many_requests: 'throttled',
};

export function buildAuditedCall(
  { now }: { now(): Date },
  action: EndpointKey,
  by: Pick<AuditedCall, 'viewer' | 'params' | 'requestId'>,
  outcome?: RefusalOutcome,
  most = 1,
): AuditedCall {
  return { ...by, action, body: undefined, answer: null, at: now(), most, ...(outcome && { outcome }) };
}

export type AfterCommitEffect = () => Promise<void> | void;

/** Adds an effect that runs after the commit; a rollback drops it. */
export type RegisterAfterCommit = (effect: AfterCommitEffect) => void;

/** Runs the effects one by one. A failed effect is only logged, because the change is already committed. */
export async function runAfterCommitEffects(
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
