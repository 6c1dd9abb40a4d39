import type { Printer } from '#printing/printer.ts';
import { stateOf } from '#printing/web/printer-words.ts';
import { Badge } from '#ui/web/office/badge.tsx';

/** A printer's state in a word or two. */
export function StateBadge({ printer }: { printer: Printer }) {
  const { tone, words } = stateOf(printer);
  return <Badge tone={tone}>{words}</Badge>;
}
