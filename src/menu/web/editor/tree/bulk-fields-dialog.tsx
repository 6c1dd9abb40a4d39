import { Autocomplete, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { AllergenCode } from '#menu/menu-shapes.ts';
import { allergenAnswerFor, allergenAnswersOf, allergenFieldsAfterAnswer } from '#menu/allergen-answers.ts';
import { allergenName } from '#menu/allergen-words.ts';
import {
  makeGuardedChangeOperation,
  type ItemPart,
  makeLinkOperation,
  type MenuOperation,
} from '#menu/operations/menu-operation.ts';
import { VatEdit } from '#menu/web/editor/choice-edits.tsx';
import allergensEditClasses from '#menu/web/editor/allergens-edit.module.css';
import formClasses from '#menu/web/editor/part-form.module.css';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { allergenCodes } from '#database/page-values.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

/** Changes of several dishes. A null or empty field leaves the dishes' values as they are. */
export interface BulkFields {
  vat_rate: number | null;
  station: string;
  groupId: string;
  allergens: Partial<Record<AllergenCode, 'contains' | 'may_contain'>>;
}

const unchanged: BulkFields = { vat_rate: null, station: '', groupId: '', allergens: {} };

export function BulkFieldsDialog({ items, onClose }: { items: ItemPart[]; onClose: (isDone: boolean) => void }) {
  const { parts, edit } = useMenuEditing();
  const [fields, setFields] = useState(unchanged);
  const choose = (change: Partial<BulkFields>): void => setFields({ ...fields, ...change });
  const operations = planBulkFields(items, fields);
  const stations = [...new Set(parts.items.flatMap(({ station }) => station ?? []))];
  return (
    <Dialog opened size="lg" onClose={() => onClose(false)} title={m.menu_edit_many_title({ count: items.length })}>
      <Stack>
        <VatEdit
          label={m.menu_edit_vat()}
          value={fields.vat_rate}
          inherit={m.menu_edit_many_keep()}
          onCommit={(vat_rate) => choose({ vat_rate })}
        />
        <Autocomplete
          label={m.menu_edit_station()}
          description={m.menu_edit_many_station()}
          data={stations}
          maxLength={40}
          value={fields.station}
          onChange={(station) => choose({ station })}
        />
        <NativeSelect
          label={m.menu_edit_many_group()}
          value={fields.groupId}
          data={[
            { value: '', label: m.menu_edit_many_keep() },
            ...parts.option_groups
              .filter(({ pricing }) => pricing === 'adds')
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => choose({ groupId: event.currentTarget.value })}
        />
        <fieldset className={formClasses.fieldset}>
          <legend>{m.menu_edit_allergens()}</legend>
          <p>{m.menu_edit_many_allergens()}</p>
          <div className={allergensEditClasses.allergens}>
            {allergenCodes.map((code) => (
              <NativeSelect
                key={code}
                label={allergenName(code)}
                value={fields.allergens[code] ?? ''}
                data={[
                  { value: '', label: m.menu_edit_many_keep() },
                  { value: 'may_contain', label: m.menu_edit_allergen_may() },
                  { value: 'contains', label: m.menu_edit_allergen_contains() },
                ]}
                onChange={({ currentTarget: { value } }) => {
                  const { [code]: _before, ...others } = fields.allergens;
                  const isAnswer = value === 'contains' || value === 'may_contain';
                  choose({ allergens: isAnswer ? { ...others, [code]: value } : others });
                }}
              />
            ))}
          </div>
        </fieldset>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)}>
            {m.platform_cancel()}
          </Button>
          <Button
            disabled={operations.length === 0}
            onClick={() => {
              edit(m.menu_edit_many_done({ count: items.length }), operations);
              onClose(true);
            }}
          >
            {m.menu_edit_many_write({ count: items.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/**
 * Plans a change of several dishes. An allergen is only added, and never made less certain, because nobody has looked
 * at each dish.
 */
export function planBulkFields(
  items: readonly ItemPart[],
  { vat_rate: vat, station, groupId, allergens }: BulkFields,
): MenuOperation[] {
  return items.flatMap((item) => {
    const fields = {
      ...(vat !== null && vat !== item.vat_rate && { vat_rate: vat }),
      ...(station.trim() !== '' && station.trim() !== item.station && { station: station.trim() }),
      ...withMoreAllergens(item, allergens),
    };
    const isLinked = groupId === '' || item.option_groups.some(({ id }) => id === groupId);
    return [
      ...(Object.keys(fields).length > 0 ? [makeGuardedChangeOperation('item', item, fields)] : []),
      ...(isLinked ? [] : [makeLinkOperation('item', item.id, [groupId])]),
    ];
  });
}

function withMoreAllergens(item: ItemPart, added: BulkFields['allergens']): Partial<ItemPart> {
  let fields: Partial<ItemPart> = {};
  for (const code of allergenCodes) {
    const answer = added[code];
    const known = { ...item, ...fields };
    const now = allergenAnswerFor(allergenAnswersOf(known), code);
    if (answer && now !== answer && now !== 'contains') fields = allergenFieldsAfterAnswer(known, code, answer);
  }
  return fields;
}
