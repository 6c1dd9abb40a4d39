import { api } from '#platform/web/api.ts';
import type { Printer } from '#printing/printer.ts';
import type { Condition } from '#printing/protocols/dialogue.ts';

/** Tells the shop the state of a printer, if it does not know that yet. */
export async function reportCondition(printer: Printer, condition: Condition): Promise<void> {
  const { state, fault, paper, cover } = printer.status;
  const isKnown =
    state !== 'new' && fault === condition.fault && paper === condition.paper && cover === condition.cover;
  if (isKnown) return;
  // It is reported again the next time that the printer is asked.
  const { detail, ...rest } = condition;
  const body = { id: printer.id, ...rest, ...(detail !== null && { detail }) };
  await api('POST /v1/printers/{id}/report', body, { timeout: 15_000 }).catch(() => undefined);
}
