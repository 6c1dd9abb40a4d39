import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { m } from '#messages';

/** A dialog of the office. Closed, it gives the focus back to what had it before. */
export function Dialog(props: ModalProps) {
  useFocusGivenBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': m.platform_close() }} {...props} />;
}

/** A sheet from the side of the screen. Closed, it gives the focus back to what had it before. */
export function SideSheet(props: DrawerProps) {
  useFocusGivenBack(props.opened);
  return <Drawer returnFocus={false} closeButtonProps={{ 'aria-label': m.platform_close() }} {...props} />;
}

/**
 * The library gives the focus back only where a dialog stays and is closed; most of ours are there only while they are
 * open.
 */
function useFocusGivenBack(isOpen: boolean): void {
  useLayoutEffect(() => (isOpen ? rememberFocus() : undefined), [isOpen]);
}

/**
 * Remembers what has the focus; call the answer to give it back when a dialog has gone. What is gone by then passes the
 * focus on to what held it, e.g. a deleted line to its tree.
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

/** What had the focus, and what around it may have it. */
function withHolders(element: Element | null): HTMLElement[] {
  const holders: HTMLElement[] = [];
  for (let at = element; at && at !== document.body; at = at.parentElement)
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) holders.push(at);
  return holders;
}
