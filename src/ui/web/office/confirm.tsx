import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { rememberFocus } from '#ui/web/office/dialogs.tsx';

export interface Question {
  title: string;
  /** The effect, and its extent. */
  body: ReactNode;
  /** The verb on the button that continues. */
  action: string;
  /** The action removes something. */
  isDangerous?: boolean;
}

/** Asks before an action that matters; resolves true to continue. A second question answers the first with no. */
export function confirm({ title, body, action, isDangerous = false }: Question): Promise<boolean> {
  modals.closeAll();
  const giveBack = rememberFocus();
  return new Promise((resolve) => {
    let isGoingOn = false;
    modals.openConfirmModal({
      title,
      children: body,
      labels: { confirm: action, cancel: m.platform_cancel() },
      confirmProps: { color: isDangerous ? 'bad' : 'accent', 'data-autofocus': !isDangerous || undefined },
      cancelProps: { 'data-autofocus': isDangerous || undefined },
      onConfirm: () => {
        isGoingOn = true;
      },
      onClose: () => {
        giveBack();
        resolve(isGoingOn);
      },
    });
  });
}
