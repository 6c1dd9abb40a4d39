import { parseArgs } from 'node:util';
import { createEpsonPrinter } from '#printing/testing/printers/epson-printer.ts';
import { startEscPosPrinter } from '#printing/testing/printers/escpos-wire.ts';
import { servePaper } from '#printing/testing/printers/paper-page.ts';
import { createStarPrinter } from '#printing/testing/printers/star-printer.ts';
import { startStarTcpPrinter } from '#printing/testing/printers/star-wire.ts';

/**
 * A printer made of software, with a page that shows the paper coming out:
 *   npm run printer -- --star    --url POLL_URL --user NAME --secret SECRET
 *   npm run printer -- --epson   --url POLL_URL --user NAME --secret SECRET
 *   npm run printer -- --network [--port 9100] [--star-commands]
 */
const { values } = parseArgs({
  options: {
    star: { type: 'boolean' },
    epson: { type: 'boolean' },
    network: { type: 'boolean' },
    'star-commands': { type: 'boolean' },
    url: { type: 'string' },
    user: { type: 'string' },
    secret: { type: 'string' },
    port: { type: 'string', default: '9100' },
    page: { type: 'string', default: '8009' },
    narrow: { type: 'boolean' },
  },
});
const dots = values.narrow ? 384 : 576;

if (values.network) {
  const start = values['star-commands'] ? startStarTcpPrinter : startEscPosPrinter;
  const printer = await start({ port: Number(values.port), dots });
  console.log(`A network printer listens at 127.0.0.1:${printer.port}. Start the shop with PRINTER_SIMULATOR=1.`);
  await show(printer, values['star-commands'] ? 'A Star printer in the network' : 'A network printer');
} else if (values.star || values.epson) {
  const { url, user, secret } = values;
  if (!url || !user || !secret) fail('Give --url, --user and --secret, as the office shows them for a new printer.');
  const signIn = { pollUrl: url, username: user, secret, dots };
  const printer = values.star ? createStarPrinter(signIn) : createEpsonPrinter(signIn);
  printer.start();
  console.log(`The printer polls ${url} every 5 s.`);
  await show(printer, values.star ? 'A Star printer with CloudPRNT' : 'An Epson printer with Server Direct Print');
} else fail('Say which: --star, --epson or --network.');

async function show(printer: Parameters<typeof servePaper>[0], title: string): Promise<void> {
  const { url } = await servePaper(printer, { title, port: Number(values.page) });
  console.log(`Watch the paper come out: ${url}`);
  process.once('SIGINT', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
