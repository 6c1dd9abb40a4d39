import type { RowKind } from '#menu/import/columns.ts';

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

export interface PlannedRow {
  kind: RowKind;
  sheet: string;
  number: number;
  name: string;
  outcome: 'new' | 'changed' | 'same' | 'refused';
  differences: Difference[];
  problems: Problem[];
}

export interface PlanOptions {
  currency: string;
  /** Hides the dishes that are not in the file. */
  hidesMissing: boolean;
  /** A person says that the file states all 14 allergens, where its own column does not say so. */
  statesAllergens: boolean;
  newId: () => string;
}
