import type { ChangingCall } from '#store/server/change-store.ts';

/** What an operation needs to know of the call, or of the job, that it is part of. */
export type OperationContext = ChangingCall & { now: Date };
