import type { Condition } from '#printing/protocols/condition.ts';

/** The conversation on one connection, in a printer's own language. */
export interface Dialogue {
  /** Takes in the printer's bytes, in any pieces. */
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
  /**
   * The bytes before a job, and the fence after it: the fence makes the printer say that it has printed everything
   * before.
   */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** A job with its fence is about to be sent, or was wholly sent: an answer to the fence before that is none. */
  begin(): void;
  written(): void;
  /** The printer owes an answer about the job. */
  readonly isAwaited: boolean;
  /**
   * The next question before its word about the job counts; it counts as asked. null: none. `isLate`: it answers
   * questions about its state and not the fence.
   */
  next(isLate: boolean): Uint8Array | null;
  /** The bytes fit no conversation with a printer, so none of its words about the job is believed. */
  readonly isDoubtful: boolean;
  /** The printer has printed everything before the fence. */
  readonly isPrinted: boolean;
  /** That is so whatever is heard after it. */
  readonly isCertain: boolean;
}
