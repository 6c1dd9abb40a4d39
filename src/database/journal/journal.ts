import { z } from 'zod';

/**
 * `changed`: the entry differs from its chained form; `missing`: earlier entries are gone; `gone`: only its position is
 * left; `unchained`: it has no position.
 */
export const JournalFault = z.object({
  kind: z.enum(['changed', 'missing', 'gone', 'unchained']),
  /** null: an entry without a position. */
  position: z.int().nullable(),
  entry: z.string(),
});
export type JournalFault = z.infer<typeof JournalFault>;

/** The result of verifying a journal. */
export const journalCheckOf = <Name extends string>(name: z.ZodType<Name>) =>
  z.object({
    name,
    /** Entries in the chain. */
    entries: z.int(),
    /**
     * The hash of the last one, in hex. Compared with an earlier copy it shows whether entries were removed from the end.
     */
    head: z.string().nullable(),
    /** At most 100. */
    faults: z.array(JournalFault),
  });

export interface JournalCheck<Name extends string = string> {
  name: Name;
  entries: number;
  head: string | null;
  faults: JournalFault[];
}
