import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import type { Unreached } from '#printing/web/lan/lan-answer.ts';

/** Why a browser does not reach a printer, and the remedy. */
export function unreachedWords(why: Unreached, { address }: Pick<Printer, 'address'>, detail = ''): string {
  switch (why) {
    case 'refused':
      return m.printing_browser_denied();
    case 'lacking':
      return m.printing_browser_lacking();
    case 'not_understood':
      return m.printing_browser_answer({ answer: detail });
    case 'needs_app':
      return m.printing_browser_needs_app({ address });
    case 'unreached':
      return m.printing_browser_unreached({ address });
  }
}
