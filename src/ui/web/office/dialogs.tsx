import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { m } from '#messages';
import { modals } from '@mantine/modals';

export function Dialog(props: ModalProps) {
  useFocusGivenBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': m.platform_close() }} {...props} />;
}

export function SideSheet(props: DrawerProps) {
  useFocusGivenBack(props.opened);
  return <Drawer returnFocus={false} closeButtonProps={{ 'aria-label': m.platform_close() }} {...props} />;
}

/** Restores the focus when a dialog closes. Mantine does so only for dialogs that stay mounted. */
function useFocusGivenBack(isOpen: boolean): void {
  useLayoutEffect(() => (isOpen ? rememberFocus() : undefined), [isOpen]);
}

/**
 * Remembers the focused element. Unless the focus has moved on, the returned function focuses the element again, or its
 * nearest focusable container if the element was removed.
 */
export function rememberFocus(): () => void {
  const holders = withHolders(document.activeElement);
  return () => {
    const left = document.activeElement;
    setTimeout(() => {
      const active = document.activeElement;
      const isMovedOn = active !== null && active !== document.body && active !== left;
      if (!isMovedOn) holders.find((holder) => holder.isConnected)?.focus({ preventScroll: true });
    });
  };
}

/** The element, followed by those of its ancestors that can be focused. */
function withHolders(element: Element | null): HTMLElement[] {
  const holders: HTMLElement[] = [];
  for (let at = element; at && at !== document.body; at = at.parentElement)
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) holders.push(at);
  return holders;
}

export interface ConfirmQuestion {
  title: string;
  /** Tells the effects of the action. */
  body: ReactNode;
  action: string;
  isDangerous?: boolean;
}

/**
 * Asks the user to confirm an action. Resolves to true if they confirm; to false if they cancel, or if another question
 * replaces this one.
 */
export function confirm({ title, body, action, isDangerous = false }: ConfirmQuestion): Promise<boolean> {
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
