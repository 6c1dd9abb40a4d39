import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBrowserDevice } from '#printing/testing/soak/browser-device.ts';
import { createEpsonPrinter } from '#simulators/printers/epson-printer.ts';
import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import type { PaperRoll } from '#simulators/printers/paper-roll.ts';
import { createStarPrinter } from '#simulators/printers/star-printer.ts';
import { startStarTcpPrinter } from '#simulators/printers/star-wire.ts';
import type { PrinterWithSecret } from '#printing/printer.ts';

/** A call to one of the instances, as the owner; null: it was not answered. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  idempotencyKey?: string,
) => Promise<{ status: number; body: unknown } | null>;

/** The body of an answer, after as many tries as it takes. Throws if it is refused. */
export async function answered(send: () => ReturnType<Call>): Promise<unknown> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const answer = await send();
    if (answer && (answer.status < 300 || answer.status === 409)) return answer.body;
    if (answer && answer.status < 500 && answer.status !== 429) {
      throw new Error(`Refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    await sleep(250);
  }
  throw new Error('No instance answers.');
}

export interface FleetPrinter {
  id: string;
  name: string;
  kind: string;
  roll: PaperRoll;
  /** Something goes wrong at its next chance. */
  trouble(random: () => number): string;
  stop(): Promise<void>;
}

/** Seconds between polls: of many printers so that their polls do not take the time of their jobs. */
const pollIntervalOf = (count: number) => (count > 24 ? 3 : 0.2);

/** Each kind of printer that answers, in the order in which they are added. */
const kinds = ['star', 'epson', 'escpos', 'device', 'star_tcp', 'epson_form', 'escpos_single', 'star_old'] as const;
type Kind = (typeof kinds)[number];

/** Adds this many simulated printers to the store, each the backup of the one before, and starts them. */
export async function openFleet(call: Call, origin: string, storeId: string, count: number): Promise<FleetPrinter[]> {
  const fleet: FleetPrinter[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index % kinds.length] ?? 'star';
    const named = { store_id: storeId, name: `${kind} ${index}` };
    fleet.push(await addOne(call, { origin, pollInterval: pollIntervalOf(count) }, named, kind));
  }
  for (const [index, { id }] of fleet.entries()) {
    const backup = fleet[(index + 1) % fleet.length]?.id;
    await answered(() => call('PATCH', `/v1/printers/${id}`, { backup_printer_id: backup }));
  }
  return fleet;
}

/** Makes one of these faults the next one. */
const pick =
  <Fault extends string>(from: { failNext(fault: Fault): void }, ...faults: Fault[]) =>
  (random: () => number) => {
    const fault = faults[Math.floor(random() * faults.length)] as Fault;
    from.failNext(fault);
    return fault;
  };

async function addOne(
  call: Call,
  { origin, pollInterval }: { origin: string; pollInterval: number },
  named: { store_id: string; name: string },
  kind: Kind,
): Promise<FleetPrinter> {
  const add = async (fields: Record<string, unknown>): Promise<PrinterWithSecret> => {
    const [key, body] = [randomUUID(), { width_mm: 80, receipts: [], ...named, ...fields }];
    const answer = await answered(() => call('POST', '/v1/printers', body, key));
    // The call answers with this shape.
    return (answer as { data: PrinterWithSecret }).data;
  };
  const { name } = named;
  const signIn = ({ id, username, secret }: PrinterWithSecret, path: string) => ({
    pollUrl: `${origin}/v1/printers/${id}/${path}`,
    username: username ?? '',
    secret: secret ?? '',
    pollInterval,
  });
  switch (kind) {
    case 'star':
    case 'star_old': {
      const added = await add({ kind: 'star_cloudprnt', profile: 'star-mc-print' });
      const isOld = kind === 'star_old';
      const roll = createStarPrinter({
        ...signIn(added, 'cloudprnt'),
        isOld,
        mediaTypes: ['application/vnd.star.starprnt'],
      });
      roll.start();
      const all = [
        'get_breaks',
        'get_breaks_520',
        'delete_lost',
        'delete_repeated',
        'power_before',
        'power_after',
        'paper_ends',
      ] as const;
      return { id: added.id, name, kind, roll, trouble: pick(roll, ...all), stop: roll.stop };
    }
    case 'epson':
    case 'epson_form': {
      const added = await add({ kind: 'epson_sdp', profile: 'epson-tm-m30' });
      const roll = createEpsonPrinter({ ...signIn(added, 'epson'), signsInByForm: kind === 'epson_form' });
      roll.start();
      const all = [
        'request_lost',
        'response_lost',
        'response_repeated',
        'power_before',
        'power_after',
        'paper_ends',
      ] as const;
      return { id: added.id, name, kind, roll, trouble: pick(roll, ...all), stop: roll.stop };
    }
    case 'device': {
      const added = await add({ kind: 'browser', profile: 'epson-tm-m30', address: '127.0.0.1:80' });
      const roll = createBrowserDevice(added.id, pollInterval, (path, body) => call('POST', path, body));
      roll.start();
      const trouble = pick(roll, 'dies_claimed', 'dies_sent', 'dies_printed', 'paper_ends');
      return { id: added.id, name, kind, roll, trouble, stop: roll.stop };
    }
    default: {
      const isStar = kind === 'star_tcp';
      const start = isStar ? startStarTcpPrinter : startEscPosPrinter;
      const roll = await start({ isSingle: kind === 'escpos_single' });
      const profile = isStar ? 'star-mc-print' : 'epson-tm-m30';
      const added = await add({ kind: 'network', profile, address: `127.0.0.1:${roll.port}` });
      const all = ['breaks_before', 'breaks_amid', 'breaks_after', 'silent', 'goes_dark', 'paper_ends'] as const;
      return { id: added.id, name, kind, roll, trouble: pick(roll, ...all), stop: roll.stop };
    }
  }
}
