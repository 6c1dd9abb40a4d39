import { Button, Group, Radio } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import type { StaffStore } from '#store/contract.ts';
import { fieldLabel, valueLines } from '#store/web/manage/field-words.ts';
import classes from '#store/web/manage/conflict-dialog.module.css';
import type { Conflict, StoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { Field } from '#store/store-changes.ts';

/** Shows what the owner typed beside what somebody else saved, and lets them choose for each field. */
export function ConflictDialog({ draft }: { draft: StoreDraft }) {
  return draft.conflict && <Choices draft={draft} conflict={draft.conflict} />;
}

function Choices({ draft, conflict: { fields, current } }: { draft: StoreDraft; conflict: Conflict }) {
  const [chosen, setChosen] = useState<Partial<Record<Field, 'mine' | 'theirs'>>>({});
  const isSettled = fields.every((field) => chosen[field]);
  return (
    <Dialog opened size="lg" onClose={() => draft.resolve(null)} title={m.store_manage_conflict_title()}>
      <p>{m.store_manage_conflict_hint()}</p>
      {fields.map((field) => (
        <Radio.Group
          key={field}
          className={classes.conflict}
          label={fieldLabel(field)}
          value={chosen[field] ?? null}
          onChange={(choice) => setChosen({ ...chosen, [field]: choice === 'mine' ? 'mine' : 'theirs' })}
        >
          <Radio
            value="mine"
            label={m.store_manage_conflict_mine()}
            description={<Value field={field} store={draft.preview} />}
          />
          <Radio
            value="theirs"
            label={m.store_manage_conflict_theirs()}
            description={<Value field={field} store={current} />}
          />
        </Radio.Group>
      ))}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => draft.resolve(null)}>
          {m.platform_cancel()}
        </Button>
        <Button
          disabled={!isSettled}
          onClick={() => draft.resolve(new Set(fields.filter((field) => chosen[field] === 'mine')))}
        >
          {m.store_manage_conflict_save()}
        </Button>
      </Group>
    </Dialog>
  );
}

function Value({ field, store }: { field: Field; store: StaffStore }) {
  const lines = valueLines(field, store);
  return (
    <span className={classes.lines}>
      {lines.length === 0 ? m.store_manage_nothing() : lines.map((line) => <span key={line}>{line}</span>)}
    </span>
  );
}
