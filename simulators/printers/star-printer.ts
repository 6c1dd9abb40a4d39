import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintJobFormat } from './decode/decode.ts';
import { createRoll, type PaperRoll } from './paper-roll.ts';
import { createFaults, createLoop, type Faults } from './poller.ts';

/** What can go wrong between a printer and the server, once, at its next chance. */
export type StarFault =
  /** The job arrives in part; the printer knows. It asks again, or confirms with 520. */
  | 'get_breaks'
  | 'get_breaks_520'
  /** It prints, and its confirmation is lost for good. */
  | 'delete_lost'
  /** It does not hear the answer to its confirmation, and sends it again. */
  | 'delete_repeated'
  /** The power goes before it prints, or after. It forgets all. */
  | 'power_before'
  | 'power_after'
  /** The paper ends in the middle. */
  | 'paper_ends'
  | 'cannot_decode';

export interface StarPrinter extends PaperRoll {
  /**
   * Polls once, and does what follows from it, as far as the confirmation. Returns the answer to the poll; null: none.
   */
  poll(): Promise<Answer | null>;
  /** Polls by itself until `stop`. */
  start(): void;
  stop(): Promise<void>;
  /** Happens at its next chance. */
  failNext(fault: StarFault): void;
  /** The last refusal of the server, e.g. 401. */
  refused: number | null;
}

export interface Answer {
  jobReady: boolean;
  mediaTypes?: string[];
  jobToken?: string;
  deleteMethod?: string;
  clientAction?: { request: string; options: string }[];
}

export interface StarOptions {
  pollUrl: string;
  username: string;
  secret: string;
  /** Seconds. */
  pollInterval?: number;
  /** Firmware from before job tokens and `printingInProgress`. */
  isOld?: boolean;
  /** What it can print, the best first. */
  mediaTypes?: readonly string[];
  dots?: number;
}

const formats: Record<string, PrintJobFormat> = {
  'application/vnd.star.starprnt': 'starprnt',
  'application/vnd.star.line': 'star_line',
  'application/vnd.star.raster': 'star_raster',
  'image/png': 'png',
  'text/plain': 'text',
};
const mac = '00:11:62:1b:2c:3d';

/** A Star printer with CloudPRNT, after the "Star CloudPRNT Protocol Guide" 2.4. */
export function createStarPrinter(options: StarOptions): StarPrinter {
  const { pollInterval = 5, isOld = false, dots = 576 } = options;
  const faults = createFaults<StarFault>();
  const answers: { request: string; result: string }[] = [];
  const roll = createRoll({ brand: 'Star', dots });
  const send = createLine(options, (status) => (printer.refused = status));

  const post = async (): Promise<Answer | null> => {
    const body = {
      status: '23 6 0 0 0 0 0 0 0 ',
      printerMAC: mac,
      statusCode: encodeURIComponent(statusCodeOf(roll)),
      ...(!isOld && { printingInProgress: false }),
      ...(answers.length > 0 && { clientAction: answers.splice(0) }),
    };
    const response = await send('POST', {}, body);
    // The body is the server's word, and is checked where it is used.
    return response?.ok ? ((await response.json()) as Answer) : null;
  };
  const poll = async (): Promise<Answer | null> => {
    const answer = await post();
    for (const { request } of answer?.clientAction ?? []) {
      answers.push({ request, result: request === 'GetPollInterval' ? String(pollInterval) : '' });
    }
    // While it is offline it fetches nothing.
    if (answer?.jobReady && roll.canPrint) await fetchAndPrint({ options, roll, faults, send, post }, answer);
    else if (answers.length > 0) await post();
    return answer;
  };
  const printer: StarPrinter = Object.assign(roll, {
    refused: null,
    poll,
    failNext: faults.failNext,
    ...createLoop(poll, pollInterval),
  });
  return printer;
}

type Send = (method: string, query: Record<string, string>, body?: unknown) => Promise<Response | null>;

/** Requests as the printer sends them, with the whole answer; null without one. */
function createLine({ pollUrl, username, secret }: StarOptions, onRefused: (status: number | null) => void): Send {
  const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
  return async (method, query, body) => {
    const url = new URL(pollUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization, 'user-agent': 'mC-Print3 (simulated)', ...type };
    try {
      const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
      onRefused(response.status === 401 || response.status === 403 ? response.status : null);
      // Read here: the connection may break in its middle.
      const bytes = await response.arrayBuffer();
      return new Response(bytes.byteLength > 0 ? bytes : null, response);
    } catch {
      return null;
    }
  };
}

function statusCodeOf({ cover, paper, cutter }: PaperRoll): string {
  if (cover === 'open') return '420 Cover open';
  if (paper === 'out') return '410 Out of paper';
  if (cutter === 'jammed') return '411 Paper jam';
  return paper === 'low' ? '211 Paper low' : '200 OK';
}

interface Inside {
  options: StarOptions;
  roll: PaperRoll;
  faults: Faults<StarFault>;
  send: Send;
  post(): Promise<unknown>;
}

async function fetchAndPrint(inside: Inside, answer: Answer): Promise<void> {
  const { options, roll, faults, send, post } = inside;
  const token = options.isOld ? undefined : answer.jobToken;
  const confirm = (code: string) => confirmJob(inside, { code, ...(token !== undefined && { token }) }, answer);
  const type = (options.mediaTypes ?? Object.keys(formats)).find((each) => answer.mediaTypes?.includes(each));
  if (type === undefined) return confirm('510 Incompatible media type');
  const get = () => send('GET', { mac, type, ...(token !== undefined && { token }) });
  let response = await get();
  if (faults.take('get_breaks')) response = await get();
  if (faults.take('get_breaks_520') || !response?.ok) return confirm('520 Download error');
  const format = formats[response.headers.get('content-type')?.split(';')[0] ?? ''];
  const bytes = Buffer.from(await response.arrayBuffer());
  if (faults.take('power_before')) return;
  if (!format || faults.take('cannot_decode')) return confirm('511 Media decoding error');
  if (faults.take('paper_ends')) {
    await roll.print(bytes, format, false);
    roll.runOutOfPaper();
    await post();
    return;
  }
  await roll.print(bytes, format);
  if (faults.take('power_after')) return;
  await confirm('200 OK');
}

/** Until it is heard, three times at most. */
async function confirmJob(
  { faults, send }: Inside,
  query: Record<string, string>,
  { deleteMethod }: Answer,
): Promise<void> {
  if (faults.take('delete_lost')) return;
  const confirm = () =>
    deleteMethod === 'GET' ? send('GET', { ...query, mac, delete: '' }) : send('DELETE', { ...query, mac });
  if (faults.take('delete_repeated')) await confirm();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if ((await confirm())?.ok) return;
    await sleep(50);
  }
}
