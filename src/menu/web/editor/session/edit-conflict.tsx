import { Button, Group, Table } from '@mantine/core';
import { m } from '#messages';
import { fieldName, fieldWords } from '#menu/web/editor/field-words.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

/** Two people changed the same field: shows both values side by side, and asks which one to keep. */
export function EditConflict() {
  const { state, session, store, index } = useEditing();
  const { conflict } = state;
  if (!conflict) return null;
  const { edit, at, fields, current } = conflict;
  const operation = edit.operations[at];
  const wanted: Record<string, unknown> = operation?.kind === 'change' ? operation.fields : {};
  const words = (field: string, value: unknown) => fieldWords(field, value, { currency: store.currency, index });
  return (
    <Dialog
      opened
      size="lg"
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={m.menu_edit_conflict_title({ name: String(current['name'] ?? edit.label) })}
    >
      <p>{m.menu_edit_conflict_hint()}</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{m.menu_edit_conflict_field()}</Table.Th>
            <Table.Th>{m.menu_edit_conflict_theirs()}</Table.Th>
            <Table.Th>{m.menu_edit_conflict_mine()}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{fieldName(field)}</Table.Th>
              <Table.Td data-theirs>{words(field, current[field])}</Table.Td>
              <Table.Td data-mine>{words(field, wanted[field])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => session.settle('theirs')}>
          {m.menu_edit_conflict_keep()}
        </Button>
        <Button onClick={() => session.settle('mine')}>{m.menu_edit_conflict_overwrite()}</Button>
      </Group>
    </Dialog>
  );
}
