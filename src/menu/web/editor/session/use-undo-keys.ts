import { useEffect } from 'react';
import type { EditingSession } from '#menu/web/editor/session/editing-session.ts';

/** Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), also with ⌘. A field that is being typed in keeps its own undo. */
export function useUndoKeys(session: EditingSession): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if ((key !== 'z' && key !== 'y') || isTyping(event.target)) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) session.redo();
      else session.undo();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [session]);
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'button'].includes(target.type);
}
