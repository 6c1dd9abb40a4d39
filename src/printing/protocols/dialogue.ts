import type { Condition } from '#printing/protocols/condition.ts';

/** What is asked and heard on one connection, in a printer's own language. */
export interface Dialogue {
  /** Takes in what the printer says, in any pieces. */
  hear(bytes: Uint8Array): void;
  /** Questions about its state, each answered before the next one is asked. The printer answers them while it prints. */
  questions: readonly Uint8Array[];
  /** The question of this index is about to be asked. */
  asks(index: number): void;
  /** How many answers have been heard. */
  readonly answers: number;
  readonly condition: Condition;
  /** The last trouble since the job began, also one that has passed: a part of the job may be gone with it. null: none. */
  readonly trouble: Condition | null;
  /** What comes before a job, and what after it: the last makes the printer say that it has printed everything before. */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** A job with its fence is about to be sent; all of it was: what seems to answer the fence before that is no answer. */
  begin(): void;
  written(): void;
  /** The printer owes an answer to what was asked about the job. */
  readonly isAwaited: boolean;
  /**
   * What is to be asked next before its word about the job counts; then it was asked. null: nothing. `isLate`: it answers
   * questions about its state and not the fence.
   */
  next(isLate: boolean): Uint8Array | null;
  /** What was heard fits no conversation with a printer, so that nothing it seems to say about the job is believed. */
  readonly isDoubtful: boolean;
  /** The printer has printed everything before the fence. */
  readonly isPrinted: boolean;
  /** That is so whatever is heard after it. */
  readonly isCertain: boolean;
}
