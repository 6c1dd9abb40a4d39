import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { m } from '#messages';
import { modals } from '@mantine/modals';

/** A dialog of the office. On closing, the focus returns to the previously focused element. */
export function Dialog(props: ModalProps) {
  useFocusGivenBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': m.platform_close() }} {...props} />;
}

/** A sheet from the screen's side. On closing, the focus returns to the previously focused element. */
export function SideSheet(props: DrawerProps) {
  useFocusGivenBack(props.opened);
  return <Drawer returnFocus={false} closeButtonProps={{ 'aria-label': m.platform_close() }} {...props} />;
}

/** Restores the focus when a dialog closes. Mantine does so only for dialogs that stay mounted. */
function useFocusGivenBack(isOpen: boolean): void {
  useLayoutEffect(() => (isOpen ? rememberFocus() : undefined), [isOpen]);
}

/**
 * Remembers the focused element; returns a function that restores the focus after a dialog. If the element was removed,
 * its container is focused, e.g. the tree of a deleted line.
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

/** The element and its focusable ancestors. */
function withHolders(element: Element | null): HTMLElement[] {
  const holders: HTMLElement[] = [];
  for (let at = element; at && at !== document.body; at = at.parentElement)
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) holders.push(at);
  return holders;
}

export interface ConfirmQuestion {
  title: string;
  /** The effect of the action, and the things that it changes. */
  body: ReactNode;
  action: string;
  isDangerous?: boolean;
}

/** Asks the user to confirm an action; resolves to true if they do. A second question resolves the first to false. */
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
