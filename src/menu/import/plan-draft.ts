import type { MenuParts } from '#menu/fields.ts';
import type { Pricing } from '#menu/menu-shapes.ts';
import type { CategoryPart, GroupPart, MenuOperation } from '#menu/operations/menu-operation.ts';
import { m } from '#messages';
import {
  type Column,
  columnsOfRowKind,
  truncateCell,
  type FileRow,
  type RowKind,
  typeHeader,
} from '#menu/import/table.ts';
import { type RowCells, type FileNames, uniqueFileNames, cellOrEmptySign } from '#menu/import/export-menu.ts';
import { foldName, foldNameCase, type CellReading } from '#menu/import/read-cell.ts';
import { minorDigits } from '#platform/money.ts';

export interface ImportDraft {
  parts: MenuParts;
  options: PlanOptions;
  names: FileNames;
  decimals: number;
  creations: MenuOperation[];
  changes: MenuOperation[];
  links: MenuOperation[];
  /** The groups and categories by folded name, including those that this file creates. */
  groups: Map<string, GroupPart[]>;
  categories: Map<string, CategoryPart[]>;
  named: { groups: ReadonlyMap<string, GroupPart>; categories: ReadonlyMap<string, CategoryPart> };
  /** The new pricing of existing groups by this file, by their ids. */
  pricing: Map<string, Pricing>;
  mainMenu: string | null;
  namedItems: Set<string>;
}

export function startImportDraft(parts: MenuParts, options: PlanOptions): ImportDraft {
  const names = uniqueFileNames(parts);
  return {
    parts,
    options,
    names,
    decimals: minorDigits(options.currency),
    creations: [],
    changes: [],
    links: [],
    groups: Map.groupBy(parts.option_groups, ({ name }) => foldName(name)),
    categories: Map.groupBy(parts.categories, ({ name }) => foldName(name)),
    named: {
      groups: new Map(parts.option_groups.map((group) => [foldName(names.group(group)), group])),
      categories: new Map(parts.categories.map((category) => [foldName(names.category(category)), category])),
    },
    pricing: new Map(),
    mainMenu: parts.menus[0]?.id ?? null,
    namedItems: new Set(),
  };
}

export class RowReader {
  readonly problems: Problem[] = [];
  readonly row: FileRow;
  needsCategory = false;
  private readonly question: RowQuestion | undefined;

  /** Skips each cell that equals the current value, because it changes nothing. */
  constructor(row: FileRow, current: RowCells | null, question: RowQuestion | undefined) {
    this.question = question;
    const same = sameGroups.filter((keys) => current && keys.every((key) => isSameCell(row.cells[key], current[key])));
    const left = new Set<string>(same.flat());
    this.row = { ...row, cells: Object.fromEntries(Object.entries(row.cells).filter(([key]) => !left.has(key))) };
    if (row.fault) this.refuse('', row.fault);
    for (const { key, words } of row.doubts ?? []) this.refuse(key, words);
    for (const [key, cell] of Object.entries(this.row.cells))
      if (cell?.includes('\uFFFD') && !isSameCell(cell, current?.[key])) this.refuse(key, m.menu_import_odd_sign());
  }

  cell(key: string): string | undefined {
    return this.row.cells[key] || undefined;
  }

  take<T>(key: string, read: CellReading<T>): T | undefined {
    if ('error' in read) {
      this.refuse(key, read.error);
      return undefined;
    }
    return read.value;
  }

  refuse(key: string, words: string): void {
    // Only the first problem of an unreadable row is reported.
    if (this.row.fault && this.problems.length > 0) return;
    const found = columnsOfRowKind(this.row.kind).find((one) => one.key === key)?.header;
    const column = found ?? (key === 'type' ? typeHeader : '');
    this.problems.push({ column, words });
  }

  planned(name: string, before: RowCells | null, after: RowCells): PlannedRow {
    const { kind, sheet, number } = this.row;
    const differences = before ? differencesOf(kind, before, after) : [];
    const outcome =
      this.problems.length > 0 ? 'refused' : before === null ? 'new' : differences.length > 0 ? 'changed' : 'same';
    const asked = this.question && { question: this.question };
    const { cells, doubts = [] } = this.row;
    return {
      kind,
      sheet,
      number,
      name,
      outcome,
      differences,
      problems: this.problems,
      ...(this.needsCategory && { needsCategory: true }),
      ...(doubts.length > 0 && { isDoubtful: true }),
      ...(outcome === 'new' && { cells }),
      ...asked,
    };
  }
}

/** The cells that are skipped if unchanged. The cells about allergens are read together. */
const sameGroups = [
  ...['name', 'category', 'groups', 'description', 'kitchenName', 'station'].map((key) => [key]),
  ['contains', 'mayContain', 'allergensStated'],
];

function isSameCell(cell: string | undefined, current: string | undefined): boolean {
  return cell !== undefined && cell === truncateCell(current ?? '');
}

/**
 * The part that a row means; undefined for a new one. `question`: a person must decide which; `isOpen`: they have not
 * decided yet.
 */
export interface RowMatch<T> {
  part?: T;
  keepsName?: boolean;
  question?: RowQuestion;
  isOpen?: boolean;
}

/**
 * Chooses the part that a row means among parts whose names differ by accents only: by the exact name, otherwise by a
 * person's answer.
 */
export function matchByAccents<T extends { id: string; name: string }>(
  { options: { meant } }: ImportDraft,
  row: FileRow,
  alike: readonly T[],
  name: string,
): RowMatch<T> {
  const exact = alike.find((one) => foldNameCase(one.name) === foldNameCase(name));
  if (exact) return { part: exact };
  if (alike.length === 0) return {};
  const key = rowKey(row);
  const question = { key, typed: name, choices: alike.map((one) => ({ id: one.id, name: one.name })) };
  const answer = meant?.[key];
  if (answer === 'new') return { question };
  const part = alike.find(({ id }) => answer === `keep ${id}` || answer === `rename ${id}`);
  return part ? { part, question, keepsName: answer === `keep ${part.id}` } : { question, isOpen: true };
}

function differencesOf(kind: RowKind, before: RowCells, after: RowCells): Difference[] {
  return columnsOfRowKind(kind).flatMap(({ key, header }: Column) =>
    (before[key] ?? '') === (after[key] ?? '')
      ? []
      : { column: header, before: cellOrEmptySign(before[key] ?? ''), after: cellOrEmptySign(after[key] ?? '') },
  );
}

/**
 * The fields of `wanted` that differ from `seen`, whatever the order of allergens and diets. The two fields about
 * allergens are returned together.
 */
export function changedFields<T extends object>(seen: T, wanted: Partial<T>): Partial<T> {
  const differs = (key: string): boolean =>
    inOneOrder(wanted[key as keyof T]) !== inOneOrder(seen[key as keyof T]) && key in wanted;
  const isOfPair = (key: string): boolean => allergenKeys.includes(key) && allergenKeys.some(differs);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key) || isOfPair(key))) as Partial<T>;
}

const allergenKeys = ['allergens', 'allergen_answers'];

function inOneOrder(value: unknown): string {
  const sorted = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.toSorted();
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a.localeCompare(b)));
  };
  return JSON.stringify(value, (_, inner: unknown) => sorted(inner)) ?? '';
}

interface Difference {
  column: string;
  before: string;
  after: string;
}

interface Problem {
  /** The column's heading; empty if the problem is the whole row's. */
  column: string;
  words: string;
}

/** The question about a row whose name differs from the menu's by accents only: which part does it mean? */
export interface RowQuestion {
  key: string;
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
  /** Whether the row is a new dish without a category. */
  needsCategory?: boolean;
  /** Whether the row waits for a person to confirm it. */
  isDoubtful?: boolean;
  /** The cells of a new row. */
  cells?: FileRow['cells'];
  /** The question about the row, which stays after it is answered. */
  question?: RowQuestion;
}

/**
 * A person's answer about a row: it means a new part, or the part with this id, which keeps its name or takes the
 * row's.
 */
export type RowAnswer = 'new' | `keep ${string}` | `rename ${string}`;

export interface PlanOptions {
  currency: string;
  /** Whether to hide the dishes that are not in the file. */
  hidesMissing: boolean;
  /** Whether a person says that the file states all 14 allergens, where its own column does not. */
  statesAllergens: boolean;
  /** The answers to the rows' questions, by key. */
  meant?: Readonly<Record<string, RowAnswer>>;
  newId: () => string;
}

export function rowKey({ kind, sheet, number }: Pick<FileRow, 'kind' | 'sheet' | 'number'>): string {
  return `${kind} ${sheet} ${number}`;
}
