import { z } from 'zod';

/**
 * A fault of a journal. `changed`: the entry no longer has the stored hash. `missing`: the positions just before this
 * entry do not exist. `gone`: the position exists, but its entry does not. `unchained`: the entry has no position.
 */
export const JournalFault = z.object({
  kind: z.enum(['changed', 'missing', 'gone', 'unchained']),
  /** The entry's position in the chain; null if it has none. */
  position: z.int().nullable(),
  entry: z.string(),
});
export type JournalFault = z.infer<typeof JournalFault>;

export const journalCheckSchema = <Name extends string>(name: z.ZodType<Name>) =>
  z.object({
    name,
    entries: z.int(),
    /**
     * The hash of the last entry, in hex; null: there is no entry. A person who noted an earlier hash can see whether
     * the newest entries were removed.
     */
    head: z.string().nullable(),
    /** The first 100 faults at most. */
    faults: z.array(JournalFault),
  });

export interface JournalCheck<Name extends string = string> {
  name: Name;
  entries: number;
  head: string | null;
  faults: JournalFault[];
}
