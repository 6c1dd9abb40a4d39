import type { RowKind } from '#menu/import/columns.ts';
import type { FileRow } from '#menu/import/table.ts';

export interface Difference {
  column: string;
  before: string;
  after: string;
}

export interface Problem {
  /** The column's heading; empty if the problem concerns the whole row. */
  column: string;
  words: string;
}

/** A row whose name differs from names on the menu by accents alone: which of these does it mean? */
export interface Question {
  key: string;
  /** The row's name. */
  typed: string;
  choices: readonly { id: string; name: string }[];
}

export interface PlannedRow {
  kind: RowKind;
  sheet: string;
  number: number;
  name: string;
  outcome: 'new' | 'changed' | 'same' | 'refused';
  differences: Difference[];
  problems: Problem[];
  /** Asked until it is answered, and after it. */
  question?: Question;
}

/** The answer to a question: something new, or the thing with this id, whose name stays or becomes that of the row. */
export type Meant = 'new' | `keep ${string}` | `rename ${string}`;

export interface PlanOptions {
  currency: string;
  /** Hides the dishes that are not in the file. */
  hidesMissing: boolean;
  /** A person says that the file states all 14 allergens, where its own column does not say so. */
  statesAllergens: boolean;
  /** The answers to the rows' questions, by their keys. */
  meant?: Readonly<Record<string, Meant>>;
  newId: () => string;
}

export function rowKey({ kind, sheet, number }: Pick<FileRow, 'kind' | 'sheet' | 'number'>): string {
  return `${kind} ${sheet} ${number}`;
}
