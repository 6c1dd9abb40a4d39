import { commandsOfEpos } from './decode/decode-xml.ts';
import { createRoll, type PaperRoll } from './paper-roll.ts';
import { createFaults, createLoop, type Faults } from './poller.ts';

export type EpsonFault =
  /** The answer with the job is lost on its way. */
  | 'request_lost'
  /** It prints, and what it says of it is lost, or said twice. */
  | 'response_lost'
  | 'response_repeated'
  | 'power_before'
  | 'power_after'
  | 'paper_ends'
  | 'cannot_read';

export interface EpsonPrinter extends PaperRoll {
  /** Asks once for a job, and does what follows from it. Returns whether it got one: a document that prints something. */
  poll(): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
  failNext(fault: EpsonFault): void;
  refused: number | null;
}

export interface EpsonOptions {
  pollUrl: string;
  username: string;
  secret: string;
  /** Seconds. */
  pollInterval?: number;
  /** It has no fields for HTTP authentication: ID and name are sent in the form. */
  signsInByForm?: boolean;
  /** Firmware from before print job ids. */
  isOld?: boolean;
  dots?: number;
}

/** An Epson printer with Server Direct Print, after its user's manual. */
export function createEpsonPrinter(options: EpsonOptions): EpsonPrinter {
  const roll = createRoll({ brand: 'Epson', dots: options.dots ?? 576 });
  const faults = createFaults<EpsonFault>();
  const authorization = `Basic ${Buffer.from(`${options.username}:${options.secret}`).toString('base64')}`;
  const post = async (fields: Record<string, string>): Promise<string | null> => {
    const own = { ID: options.username, ...(options.signsInByForm && { Name: options.secret }) };
    try {
      const response = await fetch(options.pollUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(!options.signsInByForm && { authorization }),
        },
        body: new URLSearchParams({ ...fields, ...own }).toString(),
      });
      printer.refused = response.status === 401 ? 401 : null;
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  };
  const poll = async (): Promise<boolean> => {
    const document = await post({ ConnectionType: 'GetRequest' });
    if (!document || (!emptyDocument.test(document) && faults.take('request_lost'))) return false;
    const isJob = !emptyDocument.test(document);
    const response = await print(document, roll, faults);
    if (response === null) return isJob;
    const file = wrap(document, response, options.isOld ?? false);
    const say = () => post({ ConnectionType: 'SetResponse', ResponseFile: file });
    if (isJob && faults.take('response_lost')) return true;
    if (isJob && faults.take('response_repeated')) await say();
    await say();
    return isJob;
  };
  const printer: EpsonPrinter = Object.assign(roll, {
    refused: null,
    poll,
    failNext: faults.failNext,
    ...createLoop(poll, options.pollInterval ?? 5),
  });
  return printer;
}

const emptyDocument = /<epos-print [^>]*>\s*<\/epos-print>/;

/** Prints a request. Returns its `<response>`; null: the power went. */
async function print(document: string, roll: PaperRoll, faults: Faults<EpsonFault>): Promise<string | null> {
  const [, epos] = /<PrintData>(.*)<\/PrintData>/s.exec(document) ?? [];
  if (epos === undefined) return responseOf(false, 'SchemaError', 0);
  const isEmpty = emptyDocument.test(epos);
  if (!isEmpty && faults.take('cannot_read')) return responseOf(false, 'SchemaError', 0);
  if (!isEmpty && faults.take('power_before')) return null;
  const trouble = roll.cover === 'open' ? 'EPTR_COVER_OPEN' : roll.paper === 'out' ? 'EPTR_REC_EMPTY' : null;
  if (trouble) return responseOf(false, trouble, stateOf(roll));
  // An empty document only asks for the state.
  if (isEmpty) return responseOf(true, '', stateOf(roll));
  const isWhole = !faults.take('paper_ends');
  await roll.print(commandsOfEpos(epos), 'escpos', isWhole);
  if (!isWhole) {
    roll.runOutOfPaper();
    return responseOf(false, 'EPTR_REC_EMPTY', stateOf(roll));
  }
  return faults.take('power_after') ? null : responseOf(true, '', stateOf(roll) | 2);
}

function stateOf({ paper, cover, canPrint }: PaperRoll): number {
  const sensors = paper === 'out' ? 0x000a_0000 : paper === 'low' ? 0x0002_0000 : 0;
  return 0x0f00_0014 | sensors | (cover === 'open' ? 0x20 : 0) | (canPrint ? 0 : 0x08);
}

function responseOf(isPrinted: boolean, code: string, status: number): string {
  const xmlns = 'http://www.epson-pos.com/schemas/2011/03/epos-print';
  return `<response xmlns="${xmlns}" success="${isPrinted}" code="${code}" status="${status}" battery="0"/>`;
}

function wrap(document: string, response: string, isOld: boolean): string {
  const head = '<?xml version="1.0" encoding="utf-8"?>';
  const [, id = ''] = /<printjobid>(.*?)<\/printjobid>/.exec(document) ?? [];
  if (id.length > 30) throw new Error(`The printer keeps no print job id of ${id.length} letters.`);
  if (isOld) return `${head}<PrintResponseInfo Version="1.00">${response}</PrintResponseInfo>`;
  const parameter = `<Parameter><devid>local_printer</devid><printjobid>${id}</printjobid></Parameter>`;
  const print = `<ePOSPrint>${parameter}<PrintResponse>${response}</PrintResponse></ePOSPrint>`;
  return `${head}<PrintResponseInfo Version="2.00">${print}</PrintResponseInfo>`;
}
