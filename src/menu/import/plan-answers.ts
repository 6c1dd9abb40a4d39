import { m } from '#messages';
import { type UniqueNamesInFile, createUniqueNamesInFile } from '#menu/import/export-menu.ts';
import { type ImportDraft, type PlannedRow, importRowKey, setPlannedDifference } from '#menu/import/plan-draft.ts';
import {
  cellToText,
  fieldClearingText,
  foldName,
  readNamesCell,
  readQuotedCategoryPath,
} from '#menu/import/read-cell.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  indexParts,
  type MenuOperation,
  type OptionPart,
  type PartsIndex,
} from '#menu/operations/menu-operation.ts';
import { shorten } from '#platform/graphemes.ts';

type Answers = OptionPart['item_options'];

/**
 * Plans the `item_options` of a deal's choices: the answers to the option groups of each choice's dish. The answers may
 * name a new group or option, so they are looked up in the menu that `operations` will produce. `refused` has the
 * messages for refused rows, by row key.
 */
export function planDealDishAnswers(
  draft: ImportDraft,
  operations: readonly MenuOperation[],
  rows: readonly PlannedRow[],
): { operations: MenuOperation[]; refused: Map<string, string> } {
  const planned: MenuOperation[] = [];
  const refused = new Map<string, string>();
  if (draft.answers.length === 0) return { operations: planned, refused };
  const after = applyOperations(draft.parts, operations);
  const names = createUniqueNamesInFile(after);
  const index = indexParts(after);
  for (const { row, optionId, cell } of draft.answers) {
    const option = index.options.get(optionId);
    if (!option) continue;
    const read = readAnswers(index, names, option, cell);
    if ('error' in read) {
      refused.set(importRowKey(row), read.error);
      continue;
    }
    if (JSON.stringify(read.answers) === JSON.stringify(option.item_options)) continue;
    planned.push(makeChangeOperation('option', optionId, { item_options: read.answers }));
    const shown = rows.find((one) => importRowKey(one) === importRowKey(row));
    const before = draft.parts.options.find(({ id }) => id === optionId);
    const cells = {
      before: before ? draft.names.answers(before) : '',
      after: names.answers({ ...option, item_options: read.answers }),
    };
    if (shown) setPlannedDifference(shown, 'dealAnswers', cells);
  }
  return { operations: planned, refused };
}

/**
 * Reads answers such as `Size > Large; Base > Thin`. The group may be omitted if only one option of the dish has that
 * name.
 */
function readAnswers(
  { items, groups, options }: PartsIndex,
  names: UniqueNamesInFile,
  { item_id: dishId }: OptionPart,
  cell: string,
): { answers: Answers } | { error: string } {
  if (cell === fieldClearingText) return { answers: [] };
  const dish = items.get(dishId ?? '');
  if (!dish) return { error: m.menu_import_answer_no_dish() };
  const choices = dish.option_groups.flatMap(({ id: groupId }) => {
    const group = groups.get(groupId);
    return (group?.options ?? []).flatMap(({ id }) => {
      const option = options.get(id);
      return group && option ? [{ group, option }] : [];
    });
  });
  const answers: Answers = [];
  for (const text of readNamesCell(cell)) {
    const [name = '', set] = (readQuotedCategoryPath(text) ?? text.split('>')).map(foldName).toReversed();
    const exact = choices.filter(({ group, option }) => names.answer(group, option) === text);
    const alike = choices.filter(
      ({ group, option }) =>
        foldName(option.name) === name &&
        (set === undefined || [group.name, names.group(group)].some((one) => foldName(one) === set)),
    );
    const [found, other] = exact.length > 0 ? exact : alike;
    if (!found || other)
      return { error: m.menu_import_answer_unknown({ name: shorten(cellToText(text), 60), dish: dish.name }) };
    answers.push({ option_group_id: found.group.id, option_id: found.option.id });
  }
  return { answers };
}
