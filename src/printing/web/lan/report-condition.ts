import { api } from '#platform/web/api.ts';
import type { Printer } from '#printing/printer.ts';
import type { LanCondition } from '#printing/web/lan/lan-answer.ts';

/** Tells the shop what was found out about a printer, if it does not know that yet. */
export async function reportCondition(printer: Printer, condition: LanCondition): Promise<void> {
  const { state, fault, paper, cover } = printer.status;
  const isKnown =
    state !== 'new' && fault === condition.fault && paper === condition.paper && cover === condition.cover;
  if (isKnown) return;
  // It is reported again the next time that the printer is asked.
  await api('POST /v1/printers/{id}/report', { id: printer.id, ...condition }, { timeout: 15_000 }).catch(
    () => undefined,
  );
}
