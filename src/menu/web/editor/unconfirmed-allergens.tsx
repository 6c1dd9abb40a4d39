import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { allergenFields, answersOf, awaitsConfirmation } from '#menu/allergen-answers.ts';
import { changeSeen, type MenuOperation } from '#menu/operations/menu-operation.ts';
import type { ItemPart, OptionPart } from '#menu/operations/menu-part.ts';
import { saidWords } from '#menu/web/editor/allergens-edit.tsx';
import classes from '#menu/web/editor/allergens-edit.module.css';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { Dialog } from '#ui/web/office/dialogs.tsx';

type Waiting = { kind: 'item'; part: ItemPart } | { kind: 'option'; part: OptionPart };

/** As many as one call may change. */
const atOnce = 1000;

/** The dishes and choices whose answers nobody has confirmed: one by one, or all at once. */
export function UnconfirmedAllergens() {
  const { parts, index, edit } = useEditing();
  const [isOpen, setOpen] = useState(false);
  const waiting: Waiting[] = [
    ...parts.items.filter(awaitsConfirmation).map((part) => ({ kind: 'item' as const, part })),
    ...parts.options.filter(awaitsConfirmation).map((part) => ({ kind: 'option' as const, part })),
  ];
  if (waiting.length === 0) return null;
  const count = waiting.length;
  const within = ({ kind, part: { id } }: Waiting): string => {
    const places = kind === 'item' ? index.categoriesOfItem.get(id) : index.groupsOfOption.get(id);
    return (places ?? []).map(({ name }) => name).join(', ');
  };
  const confirmAll = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.menu_edit_unconfirmed_all_title({ count }),
      body: (
        <ul>
          {waiting.map(({ part }) => (
            <li key={part.id}>
              <strong>{part.name}</strong>: {saidWords(part)}
            </li>
          ))}
        </ul>
      ),
      action: m.menu_edit_unconfirmed_all({ count }),
    });
    if (!isSure) return;
    setOpen(false);
    for (let at = 0; at < count; at += atOnce) {
      const some = waiting.slice(at, at + atOnce);
      edit(m.menu_edit_unconfirmed_done({ count: some.length }), some.map(confirmed));
    }
  };
  return (
    <Alert color="warm" mb="md" title={m.menu_edit_unconfirmed({ count })}>
      <p>{m.menu_edit_unconfirmed_words()}</p>
      <Button variant="default" onClick={() => setOpen(true)}>
        {m.menu_edit_unconfirmed_show()}
      </Button>
      <Dialog opened={isOpen} size="lg" onClose={() => setOpen(false)} title={m.menu_edit_unconfirmed_title()}>
        <p>{m.menu_edit_unconfirmed_hint()}</p>
        <ul className={classes.waiting}>
          {waiting.map((one) => (
            <li key={one.part.id}>
              <span>
                <strong>{one.part.name}</strong>: {saidWords(one.part)}
                <small>{[kindName(one.kind, 1), within(one)].filter(Boolean).join(' · ')}</small>
              </span>
              <Button
                variant="default"
                aria-label={m.menu_edit_unconfirmed_yes_to({ name: one.part.name })}
                onClick={() => {
                  edit(m.menu_edit_unconfirmed_one({ name: one.part.name }), [confirmed(one)]);
                  if (count === 1) setOpen(false);
                }}
              >
                {m.menu_edit_unconfirmed_yes()}
              </Button>
            </li>
          ))}
        </ul>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setOpen(false)}>
            {m.platform_close()}
          </Button>
          <Button onClick={() => void confirmAll()}>{m.menu_edit_unconfirmed_all({ count })}</Button>
        </Group>
      </Dialog>
    </Alert>
  );
}

function confirmed({ kind, part }: Waiting): MenuOperation {
  const fields = allergenFields({ allergen_answers: answersOf(part) });
  return kind === 'item' ? changeSeen('item', part, fields) : changeSeen('option', part, fields);
}
