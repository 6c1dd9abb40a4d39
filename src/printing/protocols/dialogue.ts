import type { Condition } from '#printing/protocols/condition.ts';

/** What is asked and heard on one connection, in a printer's own language. */
export interface Dialogue {
  /** Takes in what the printer says, in any pieces. */
  hear(bytes: Uint8Array): void;
  /** Questions about its state, each answered before the next one is asked. The printer answers them while it prints. */
  questions: readonly Uint8Array[];
  /** The next answer is to the question of this index. */
  asks(index: number): void;
  /** How many answers have been heard. */
  readonly answers: number;
  readonly condition: Condition;
  /** What comes before a job, and what after it: the last makes the printer say that it has printed everything before. */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** A job with its fence is about to be sent. */
  begin(): void;
  /** The printer has reached the fence. */
  readonly isPrinted: boolean;
}
