import { Button, Group } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { makeStore } from '#platform/web/store.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

export interface Question {
  title: string;
  /** What will happen, and to how much. */
  body: ReactNode;
  /** The verb on the button that goes on. */
  action: string;
  /** A deed that takes something away. */
  isDangerous?: boolean;
}

interface Asked extends Question {
  answer: (yes: boolean) => void;
}

const asked = makeStore<Asked | null>(() => null);

/** Asks before a deed that matters; true to go on. A second question answers the first with no. */
export function confirm(question: Question): Promise<boolean> {
  asked.read()?.answer(false);
  return new Promise((resolve) => {
    asked.set({
      ...question,
      answer: (yes) => {
        asked.set(null);
        resolve(yes);
      },
    });
  });
}

/** The place where questions appear; once on a page. */
export function Confirmation() {
  const question = useSyncExternalStore(asked.subscribe, asked.read);
  if (!question) return null;
  const { title, body, action, isDangerous = false, answer } = question;
  return (
    <Dialog opened onClose={() => answer(false)} title={title}>
      <div>{body}</div>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus={isDangerous || undefined} onClick={() => answer(false)}>
          {m.platform_cancel()}
        </Button>
        <Button
          color={isDangerous ? 'bad' : 'accent'}
          data-autofocus={!isDangerous || undefined}
          onClick={() => answer(true)}
        >
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
