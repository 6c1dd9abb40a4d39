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
import {
  type ExportCells,
  type UniqueNamesInFile,
  createUniqueNamesInFile,
  cellOrClearingText,
} from '#menu/import/export-menu.ts';
import { foldName, foldNameCase, type CellReading } from '#menu/import/read-cell.ts';
import { minorDigits } from '#platform/money.ts';

export interface ImportDraft {
  parts: MenuParts;
  options: PlanSettings;
  names: UniqueNamesInFile;
  decimals: number;
  creations: MenuOperation[];
  changes: MenuOperation[];
  links: MenuOperation[];
  groups: Map<string, GroupPart[]>;
  categories: Map<string, CategoryPart[]>;
  named: { groups: ReadonlyMap<string, GroupPart>; categories: ReadonlyMap<string, CategoryPart> };
  /** The pricing that the file gives existing groups, by group id. */
  pricing: Map<string, Pricing>;
  mainMenu: string | null;
  namedItems: Set<string>;
  dishRows: readonly FileRow[];
  /** The ids of new dishes that are choices of a deal, by the key of the dish's row. */
  newDishIds: Map<string, string>;
  /**
   * The cells that answer the option groups of a dish in a deal. `row` and `optionId` are the row and the id of the
   * deal's choice that stands for the dish.
   */
  answers: { row: FileRow; optionId: string; cell: string }[];
  refused: LateRefusedRows;
}

/** The rows whose refusal was found only after other rows were planned. */
export interface LateRefusedRows {
  /**
   * The keys of the refused rows of new dishes. If a deal's choice stands for such a dish, the choice's row is refused
   * as well.
   */
  dishes: ReadonlySet<string>;
  /**
   * The rows of a deal's choices that are refused because of their answers, such as an answer that the dish does not
   * offer. Keys are row keys, values are messages.
   */
  answers: ReadonlyMap<string, string>;
}

export function startImportDraft(parts: MenuParts, options: PlanSettings, refused: LateRefusedRows): ImportDraft {
  const names = createUniqueNamesInFile(parts);
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
    dishRows: [],
    newDishIds: new Map(),
    answers: [],
    refused,
  };
}

export class RowReader {
  readonly problems: Problem[] = [];
  readonly row: FileRow;
  needsCategory = false;
  private readonly question: RowQuestion | undefined;

  /**
   * Skips cells that equal the current values, so that unchanged rows stay valid even if a rule has become stricter.
   */
  constructor(row: FileRow, current: ExportCells | null, question: RowQuestion | undefined) {
    this.question = question;
    const same = comparedTogether.filter(
      (keys) => current && keys.every((key) => equalsCell(row.cells[key], current[key])),
    );
    const left = new Set<string>(same.flat());
    this.row = { ...row, cells: Object.fromEntries(Object.entries(row.cells).filter(([key]) => !left.has(key))) };
    if (row.fault) this.refuse('', row.fault);
    for (const { key, words } of row.doubts ?? []) this.refuse(key, words);
    for (const [key, cell] of Object.entries(this.row.cells))
      if (cell?.includes('\uFFFD') && !equalsCell(cell, current?.[key])) this.refuse(key, m.menu_import_odd_sign());
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
    // Further problems of an unreadable row are consequences of the first.
    if (this.row.fault && this.problems.length > 0) return;
    const found = columnsOfRowKind(this.row.kind).find((one) => one.key === key)?.header;
    const column = found ?? (key === 'type' ? typeHeader : '');
    this.problems.push({ column, words });
  }

  planned(name: string, before: ExportCells | null, after: ExportCells): PlannedRow {
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

/** Cells to skip if unchanged. The three allergen cells are one statement, so they are compared together. */
const comparedTogether = [
  ...['name', 'category', 'groups', 'description', 'kitchenName', 'station', 'dealDish', 'dealAnswers'].map((key) => [
    key,
  ]),
  ['contains', 'mayContain', 'allergensStated'],
];

function equalsCell(cell: string | undefined, current: string | undefined): boolean {
  return cell !== undefined && cell === truncateCell(current ?? '');
}

/**
 * The existing part that a row means; undefined for a new part. `question`: asks a person which part the row means.
 * `isOpen`: nobody has answered yet.
 */
export interface RowMatch<T> {
  part?: T;
  keepsName?: boolean;
  question?: RowQuestion;
  isOpen?: boolean;
}

/** Chooses among parts whose names differ by accents only: by the exact name, otherwise by a person's answer. */
export function matchIgnoringAccents<T extends { id: string; name: string }>(
  { options: { meant } }: ImportDraft,
  row: FileRow,
  alike: readonly T[],
  name: string,
): RowMatch<T> {
  const exact = alike.find((one) => foldNameCase(one.name) === foldNameCase(name));
  if (exact) return { part: exact };
  if (alike.length === 0) return {};
  const key = importRowKey(row);
  const question = { key, typed: name, choices: alike.map((one) => ({ id: one.id, name: one.name })) };
  const answer = meant?.[key];
  if (answer === 'new') return { question };
  const part = alike.find(({ id }) => answer === `keep ${id}` || answer === `rename ${id}`);
  return part ? { part, question, keepsName: answer === `keep ${part.id}` } : { question, isOpen: true };
}

function differencesOf(kind: RowKind, before: ExportCells, after: ExportCells): Difference[] {
  return columnsOfRowKind(kind).flatMap(({ key, header }: Column) =>
    (before[key] ?? '') === (after[key] ?? '')
      ? []
      : { column: header, before: cellOrClearingText(before[key] ?? ''), after: cellOrClearingText(after[key] ?? '') },
  );
}

/** Records the difference in a cell that was planned after the rest of its row. */
export function setPlannedDifference(row: PlannedRow, key: string, cells: { before: string; after: string }): void {
  if (row.outcome === 'new') return;
  const changed = differencesOf(row.kind, { [key]: cells.before }, { [key]: cells.after });
  const kept = row.differences.filter(
    ({ column }) => column !== columnsOfRowKind(row.kind).find((one) => one.key === key)?.header,
  );
  row.differences = [...kept, ...changed];
  row.outcome = row.differences.length > 0 ? 'changed' : 'same';
}

/**
 * The fields of `wanted` that differ from `seen`; lists are compared without their order. If one of the two allergen
 * fields differs, both are returned, because the server checks them as one.
 */
export function changedFields<T extends object>(seen: T, wanted: Partial<T>): Partial<T> {
  const differs = (key: string): boolean =>
    toSortedJson(wanted[key as keyof T]) !== toSortedJson(seen[key as keyof T]) && key in wanted;
  const isOfPair = (key: string): boolean => allergenKeys.includes(key) && allergenKeys.some(differs);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key) || isOfPair(key))) as Partial<T>;
}

const allergenKeys = ['allergens', 'allergen_answers'];

function toSortedJson(value: unknown): string {
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
  column: string;
  words: string;
}

/** Asks which part a row means, because its name differs by accents only from names in the menu. */
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
  needsCategory?: boolean;
  isDoubtful?: boolean;
  cells?: FileRow['cells'];
  /** The question about the row. It stays visible after its answer. */
  question?: RowQuestion;
}

/** A person's answer: the row means a new part, or the part with this id, which keeps or changes its name. */
export type RowAnswer = 'new' | `keep ${string}` | `rename ${string}`;

export interface PlanSettings {
  currency: string;
  hidesMissing: boolean;
  /**
   * Whether a person declares that the file states all 14 allergens. A column of the file overrides this declaration.
   */
  statesAllergens: boolean;
  meant?: Readonly<Record<string, RowAnswer>>;
  newId: () => string;
}

export function importRowKey({ kind, sheet, number }: Pick<FileRow, 'kind' | 'sheet' | 'number'>): string {
  return `${kind} ${sheet} ${number}`;
}
