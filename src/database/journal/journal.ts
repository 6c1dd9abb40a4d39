import { z } from 'zod';

/**
 * `changed`: the entry is not what was chained; `missing`: entries before it are gone; `gone`: its place is there and it is
 * not; `unchained`: it has no place.
 */
export const JournalFault = z.object({
  kind: z.enum(['changed', 'missing', 'gone', 'unchained']),
  /** null: an entry without a place. */
  position: z.int().nullable(),
  entry: z.string(),
});
export type JournalFault = z.infer<typeof JournalFault>;

/** What was found when every hash of a journal was worked out again. */
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
