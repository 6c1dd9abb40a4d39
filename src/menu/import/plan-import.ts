import type { MenuParts } from '#menu/fields.ts';
import { makeGuardedChangeOperation, type ItemPart, type MenuOperation } from '#menu/operations/menu-operation.ts';
import {
  type ImportDraft,
  type PlannedRow,
  type PlanSettings,
  type LateRefusedRows,
  importRowKey,
  startImportDraft,
} from '#menu/import/plan-draft.ts';
import { quoteName } from '#menu/import/read-cell.ts';
import { planDealDishAnswers } from '#menu/import/plan-answers.ts';
import { planItems } from '#menu/import/plan-items.ts';
import { planOptions } from '#menu/import/plan-options.ts';
import type { FileTable } from '#menu/import/table.ts';

export interface ImportPlan {
  rows: PlannedRow[];
  operations: MenuOperation[];
  unknown: readonly string[];
  leftOut: readonly string[];
  newCategories: string[];
  /** Visible dishes that the file does not contain. */
  missing: ItemPart[];
  /** The number of new dishes without a category in the file. */
  withoutCategory: number;
  /** Whether rows name allergens without stating all 14. */
  leavesAllergensOpen: boolean;
}

/**
 * Plans an import that puts new dishes without a category into the chosen category. An empty choice refuses these
 * dishes.
 */
export function planWithCategory(
  table: FileTable,
  category: string,
  parts: MenuParts,
  options: PlanSettings,
): ImportPlan {
  const plan = planImport(table, parts, options);
  const lacking = new Set(plan.rows.flatMap((row) => (lacksCategory(row) ? importRowKey(row) : [])));
  if (category.trim() === '' || lacking.size === 0) return plan;
  const rows = table.rows.map((row) =>
    row.kind === 'item' && lacking.has(importRowKey(row))
      ? { ...row, cells: { ...row.cells, category: quoteName(category.trim()) } }
      : row,
  );
  const filled = planImport({ ...table, rows }, parts, options);
  return { ...filled, withoutCategory: lacking.size };
}

export function lacksCategory({ kind, problems, needsCategory }: PlannedRow): boolean {
  return kind === 'item' && needsCategory === true && problems.length > 0;
}

/**
 * Plans an import by comparing the file with the menu. Parts match by id, or by name in their category or group. Empty
 * cells and missing columns change nothing; new parts are appended. A second import of the file changes nothing.
 */
export function planImport(table: FileTable, parts: MenuParts, options: PlanSettings): ImportPlan {
  const refused = { dishes: new Set<string>(), answers: new Map<string, string>() };
  // Choices are planned before the dishes and answers that they need. If such a dish or answer is refused, everything
  // is planned again, with the choice refused.
  for (;;) {
    const { plan, dishes, answers } = planRows(table, parts, options, refused);
    if (dishes.length + answers.size === 0) return plan;
    for (const key of dishes) refused.dishes.add(key);
    for (const [key, words] of answers) refused.answers.set(key, words);
  }
}

function planRows(
  table: FileTable,
  parts: MenuParts,
  options: PlanSettings,
  refused: LateRefusedRows,
): { plan: ImportPlan; dishes: string[]; answers: ReadonlyMap<string, string> } {
  const draft: ImportDraft = startImportDraft(parts, options, refused);
  const ofOptions = planOptions(draft, table);
  const ofItems = planItems(draft, table);
  const named = draft.namedItems;
  const missing = parts.items.filter(({ id, is_active: isActive }) => isActive && !named.has(id));
  const hiding = options.hidesMissing
    ? missing.map((item) => makeGuardedChangeOperation('item', item, { is_active: false }))
    : [];
  const made = [...dishesFirst(draft.creations), ...draft.changes, ...draft.links];
  const answers = planDealDishAnswers(draft, made, ofOptions);
  const plan: ImportPlan = {
    rows: [...ofItems, ...ofOptions],
    operations: [...made, ...answers.operations, ...hiding],
    unknown: table.unknown,
    leftOut: table.leftOut,
    newCategories: draft.creations.flatMap((one) =>
      one.kind === 'create' && one.part === 'category' ? one.fields.name : [],
    ),
    missing,
    withoutCategory: ofItems.filter(lacksCategory).length,
    leavesAllergensOpen: table.rows.some(
      ({ cells }) => Boolean(cells['contains'] || cells['mayContain']) && !cells['allergensStated'],
    ),
  };
  const keys = ofItems.filter(({ outcome }) => outcome === 'refused').map(importRowKey);
  return { plan, dishes: keys.filter((key) => draft.newDishIds.has(key)), answers: answers.refused };
}

/** Sorts dishes before options, because an option may stand for a new dish. */
function dishesFirst(creations: readonly MenuOperation[]): MenuOperation[] {
  const isDish = (one: MenuOperation) => one.kind === 'create' && one.part === 'item';
  return [...creations.filter(isDish), ...creations.filter((one) => !isDish(one))];
}
