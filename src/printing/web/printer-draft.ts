import { models, profiles } from '#printing/paper/profiles.ts';
import { formatsFor } from '#printing/printer-formats.ts';
import type { Printer, PrinterKind } from '#printing/printer.ts';
import { modelOf } from '#printing/web/printer-words.ts';

/** The owner's input about a printer itself. */
export type PrinterDetails = Pick<Printer, 'name' | 'profile' | 'width_mm' | 'address' | 'allows_private_address'>;

/** The models that can be used in this way. */
export function modelsFor(kind: PrinterKind) {
  return models.filter((model) => formatsFor(kind, model).length > 0);
}

/** The widths of paper that a model takes, the widest first. */
export function widthsOf(profile: string): (58 | 80)[] {
  return profiles.filter(({ id }) => id === modelOf(profile)).map(({ width_mm: width }) => width);
}

export function newDetails(kind: PrinterKind, name: string): PrinterDetails {
  const profile = modelsFor(kind)[0]?.id ?? 'other';
  return { name, profile, width_mm: widthsOf(profile)[0] ?? 80, address: '', allows_private_address: false };
}

/** The details with another model, on paper that it takes. */
export function withModel(details: PrinterDetails, profile: string): PrinterDetails {
  const widths = widthsOf(profile);
  return { ...details, profile, width_mm: widths.includes(details.width_mm) ? details.width_mm : (widths[0] ?? 80) };
}

/** Whether the typed address is one of the server's own network, as most printers' are. The server decides in the end. */
export function looksPrivate(address: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[?f[cd]|[\w-]+\.(local|lan|home|internal)\b)/i.test(
    address.trim(),
  );
}

/** The changed fields, with the values before; null: none. */
export function changeOf<T extends Partial<Printer>>(
  printer: Printer,
  wanted: T,
): { change: Partial<T>; was: Partial<Printer> } | null {
  const fields = (Object.keys(wanted) as (keyof T & keyof Printer)[]).filter(
    (field) => JSON.stringify(wanted[field]) !== JSON.stringify(printer[field]),
  );
  if (fields.length === 0) return null;
  // The keys are those of both.
  const pick = (from: Partial<Printer>) => Object.fromEntries(fields.map((field) => [field, from[field]]));
  return { change: pick(wanted) as Partial<T>, was: pick(printer) as Partial<Printer> };
}
