import type { ChangingCall } from '#store/server/change-store.ts';

/** The parts of a call, or of a job, that an operation needs. */
export type OperationContext = ChangingCall & { now: Date };
