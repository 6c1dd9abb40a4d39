import { parseArgs } from 'node:util';
import { startLanPrinter } from '#printing/testing/browser-printers/lan-printer.ts';
import { createEpsonPrinter } from '#printing/testing/printers/epson-printer.ts';
import { startEscPosPrinter } from '#printing/testing/printers/escpos-wire.ts';
import { servePaper } from '#printing/testing/printers/paper-page.ts';
import { createStarPrinter } from '#printing/testing/printers/star-printer.ts';
import { startStarTcpPrinter } from '#printing/testing/printers/star-wire.ts';

const usage = `A printer made of software, with a page that shows the paper coming out:
  npm run printer -- --star    --url POLL_URL --user NAME --secret SECRET
  npm run printer -- --epson   --url POLL_URL --user NAME --secret SECRET
  npm run printer -- --network [--port 9100] [--star-commands]
  npm run printer -- --browser [--port 8043] [--star-commands]
--page PORT is where the page is, 8009 by default; --narrow is for paper of 58 mm.`;

const values = readArguments();
const isStar = values['star-commands'] ?? false;
const dots = values.narrow ? 384 : 576;
const page = portOf('page', 8009);

const kinds = (['network', 'browser', 'star', 'epson'] as const).filter((kind) => values[kind]);
if (kinds.length !== 1) fail('Say which one: --star, --epson, --network or --browser.');
try {
  await start(kinds[0] ?? 'star');
} catch (error) {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') fail(`Port ${port} is taken. Choose another one by --port or --page.`);
  if (code === 'EACCES') fail(`Port ${port} may not be used. Choose one above 1023 by --port or --page.`);
  throw error;
}

async function start(kind: 'network' | 'browser' | 'star' | 'epson'): Promise<void> {
  if (kind === 'network') {
    const printer = await (isStar ? startStarTcpPrinter : startEscPosPrinter)({ port: portOf('port', 9100), dots });
    console.log(`A network printer listens at 127.0.0.1:${printer.port}. Start the shop with PRINTER_SIMULATOR=1.`);
    return show(printer, isStar ? 'A Star printer in the network' : 'A network printer');
  }
  if (kind === 'browser') {
    const service = isStar ? 'webprnt' : 'epos';
    const printer = await startLanPrinter(service, '127.0.0.1', { port: portOf('port', 8043), dots });
    const model = isStar ? 'Star (mC-Print3)' : 'Epson (TM-m30)';
    console.log(
      `A printer for browsers listens at ${printer.address}: its model is ${model}. Open the order board on this machine.`,
    );
    return show(printer, isStar ? 'A Star printer with WebPRNT' : 'An Epson printer with ePOS');
  }
  const signIn = { ...credentials(), dots };
  const printer = kind === 'star' ? createStarPrinter(signIn) : createEpsonPrinter(signIn);
  printer.start();
  console.log(`The printer polls ${signIn.pollUrl} every 5 s.`);
  return show(printer, kind === 'star' ? 'A Star printer with CloudPRNT' : 'An Epson printer with Server Direct Print');
}

async function show(printer: Parameters<typeof servePaper>[0], title: string): Promise<void> {
  const { url } = await servePaper(printer, { title, port: page });
  console.log(`Watch the paper come out: ${url}`);
  process.once('SIGINT', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
}

function credentials(): { pollUrl: string; username: string; secret: string } {
  const { url, user, secret } = values;
  if (!url || !user || !secret) fail('Give --url, --user and --secret, as the office shows them for a new printer.');
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  if (!isWeb) fail(`--url "${url}" is no address. It begins with http:// or https://, as the office shows it.`);
  return { pollUrl: url, username: user, secret };
}

function portOf(name: 'port' | 'page', usual: number): number {
  const text = values[name];
  if (text === undefined) return usual;
  const isPort = /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
  return isPort ? Number(text) : fail(`--${name} "${text}" is no port. It is a number up to 65535.`);
}

function readArguments() {
  try {
    const { values: read } = parseArgs({
      args: process.argv.slice(2).reduce(joinValues, []),
      options: {
        star: { type: 'boolean' },
        epson: { type: 'boolean' },
        network: { type: 'boolean' },
        browser: { type: 'boolean' },
        'star-commands': { type: 'boolean' },
        url: { type: 'string' },
        user: { type: 'string' },
        secret: { type: 'string' },
        port: { type: 'string' },
        page: { type: 'string' },
        narrow: { type: 'boolean' },
      },
    });
    return read;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** A secret that begins with a dash is a value all the same: `--secret -x` becomes `--secret=-x`. */
function joinValues(args: string[], next: string): string[] {
  const last = args.at(-1) ?? '';
  return ['--url', '--user', '--secret'].includes(last) ? [...args.slice(0, -1), `${last}=${next}`] : [...args, next];
}

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
