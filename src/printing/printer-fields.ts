import { z } from 'zod';
import { m } from '#messages';
import { Id } from '#platform/http/shapes.ts';
import { OrderChannel } from '#ordering/order.ts';
import { PrintCopy } from '#ordering/print.ts';
import { doesPoll } from '#printing/printer-rules.ts';
import { PrinterKind } from '#printing/printer.ts';
import { FulfilmentType } from '#store/contract.ts';

const isKeepable = (text: string) => !text.includes('\0') && text.isWellFormed();
const Text = (max: number) =>
  z
    .string({ error: () => m.printing_text_needed() })
    .trim()
    .max(max, { error: () => m.printing_text_long({ max }) })
    .refine(isKeepable, { error: () => m.printing_text_odd() });
const Name = (max: number) => Text(max).min(1, { error: () => m.printing_text_needed() });
const Copies = z
  .int({ error: () => m.printing_copies_range() })
  .min(1, { error: () => m.printing_copies_range() })
  .max(5, { error: () => m.printing_copies_range() });
const Each = <T extends z.ZodType>(one: T, max: number) => z.array(one).max(max).transform(unique);

/** The fields of a printer that an admin may set. */
const fields = {
  name: Name(60),
  kind: PrinterKind,
  address: Text(255),
  allows_private_address: z.boolean(),
  profile: Name(120),
  width_mm: z.union([z.literal(58), z.literal(80)]),
  receipts: Each(PrintCopy, 2),
  stations: Each(Name(40), 50),
  fulfilment_types: Each(FulfilmentType, 2),
  channels: Each(OrderChannel, 4),
  copies: Copies,
  backup_printer_id: Id.nullable(),
  opens_drawer: z.boolean(),
  sounds_buzzer: z.boolean(),
  prints_promises: z.boolean(),
};

/** In a PATCH every field is optional, and the way to it stays: a printer that is reached another way is another one. */
export const PrinterChange = z.object(fields).omit({ kind: true });

export const NewPrinter = z.object({
  ...fields,
  store_id: Id,
  address: fields.address.default(''),
  allows_private_address: fields.allows_private_address.default(false),
  receipts: fields.receipts.default(['kitchen']),
  stations: fields.stations.default([]),
  fulfilment_types: fields.fulfilment_types.default([]),
  channels: fields.channels.default([]),
  copies: fields.copies.default(1),
  backup_printer_id: fields.backup_printer_id.default(null),
  opens_drawer: fields.opens_drawer.default(false),
  sounds_buzzer: fields.sounds_buzzer.default(false),
  prints_promises: fields.prints_promises.default(false),
});
export type NewPrinter = z.infer<typeof NewPrinter>;

/** A name, an IPv4 address, or an IPv6 one in brackets, and a port: `192.168.1.40:9100`. */
const hostAndPort = /^(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i;
/** Nothing that a command line would take for an option or a path. */
const queueName = /^[a-z0-9][a-z0-9_.-]{0,126}$/i;

const usualPorts: Partial<Record<PrinterKind, number>> = { network: 9100, browser: 80 };

/**
 * An address as it is stored, with its port, or why it is none: `192.168.1.40` of a network printer becomes
 * `192.168.1.40:9100`. Whether the server may connect to it is decided when it connects.
 */
export function readAddress(kind: PrinterKind, typed: string): { address: string } | { problem: string } {
  if (doesPoll(kind)) return typed === '' ? { address: '' } : { problem: m.printing_address_not_used() };
  if (typed === '') return { problem: kind === 'system' ? m.printing_queue_needed() : m.printing_address_needed() };
  if (kind === 'system') return queueName.test(typed) ? { address: typed } : { problem: m.printing_queue_wrong() };
  const { host, port } = hostAndPort.exec(typed)?.groups ?? {};
  const number = Number(port ?? usualPorts[kind]);
  if (host === undefined || number < 1 || number > 65_535) return { problem: m.printing_address_wrong() };
  return { address: `${host.toLowerCase()}:${number}` };
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
