import { Button, Group, Table } from '@mantine/core';
import { m } from '#messages';
import { fieldName, fieldWords } from '#menu/web/editor/field-words.ts';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

/** Two editors changed the same thing: both values side by side, and a choice. Nothing is lost unseen. */
export function Quarrel() {
  const { state, session, store, index } = useEditing();
  const { quarrel } = state;
  if (!quarrel) return null;
  const { edit, change, fields, current } = quarrel;
  const wanted = edit.changes[change]?.body ?? {};
  const words = (field: string, value: unknown) => fieldWords(field, value, { currency: store.currency, index });
  return (
    <Dialog
      opened
      size="lg"
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={m.menu_edit_quarrel_title({ name: String(current['name'] ?? edit.label) })}
    >
      <p>{m.menu_edit_quarrel_hint()}</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{m.menu_edit_quarrel_field()}</Table.Th>
            <Table.Th>{m.menu_edit_quarrel_theirs()}</Table.Th>
            <Table.Th>{m.menu_edit_quarrel_mine()}</Table.Th>
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
          {m.menu_edit_quarrel_keep()}
        </Button>
        <Button onClick={() => session.settle('mine')}>{m.menu_edit_quarrel_overwrite()}</Button>
      </Group>
    </Dialog>
  );
}
