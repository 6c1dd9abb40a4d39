import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Notices } from '#ui/web/notices.tsx';

interface SheetProps {
  labelledBy: string;
  onClose: () => void;
  children: ReactNode;
  /**
   * The element that gets the focus on opening; missing: the sheet itself, so that screen readers read its heading
   * first.
   */
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A native modal dialog. The browser traps the focus, and restores it on closing. */
export function Sheet({ labelledBy, onClose, children, initialFocus }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    document.documentElement.classList.add('under-sheet');
    element?.showModal();
    (initialFocus?.current ?? element)?.focus({ preventScroll: true });
    return () => {
      element?.close();
      // Another sheet may still be open below the closed one, for example below a confirmation.
      document.documentElement.classList.toggle('under-sheet', document.querySelector('dialog.sheet[open]') !== null);
    };
  }, [initialFocus]);

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the Escape key fires the dialog's cancel event
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      className="sheet outline-none"
      tabIndex={-1}
      onCancel={(event) => {
        // React passes the cancel event of a dialog inside this sheet to this handler. That event must not close this
        // sheet.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={closeOnBackdrop}
    >
      {children}
      <Notices look="px-4 pb-4" />
    </dialog>
  );
}
