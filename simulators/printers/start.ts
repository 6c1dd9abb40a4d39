import { startLanPrinter } from './lan-printer.ts';
import { createEpsonPrinter } from './epson-printer.ts';
import { startEscPosPrinter } from './escpos-wire.ts';
import { servePaper } from './paper-page.ts';
import { createStarPrinter } from './star-printer.ts';
import { startStarTcpPrinter } from './star-wire.ts';
import { ArgumentFault, type PrinterArguments, readPrinterArguments } from './arguments.ts';

const usage = `A printer made of software, with a page that shows the paper coming out:
  npm run printer -- --star    --url POLL_URL --user NAME --secret SECRET
  npm run printer -- --epson   --url POLL_URL --user NAME --secret SECRET
  npm run printer -- --network [--port 9100] [--star-commands]
  npm run printer -- --browser [--port 8043] [--star-commands]
--page PORT is where the page is, 8009 by default; --narrow is for paper of 58 mm.`;

try {
  await start(readPrinterArguments(process.argv.slice(2)));
} catch (error) {
  if (error instanceof ArgumentFault) fail(error.message);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') fail(`Port ${port} is taken. Choose another one by --port or --page.`);
  if (code === 'EACCES') fail(`Port ${port} may not be used. Choose one above 1023 by --port or --page.`);
  throw error;
}

async function start(asked: PrinterArguments): Promise<void> {
  const { isStar, dots, page } = asked;
  if (asked.kind === 'network') {
    const printer = await (isStar ? startStarTcpPrinter : startEscPosPrinter)({ port: asked.port, dots });
    console.log(`A network printer listens at 127.0.0.1:${printer.port}. Start the shop with PRINTER_SIMULATOR=1.`);
    return show(printer, isStar ? 'A Star printer in the network' : 'A network printer', page);
  }
  if (asked.kind === 'browser') {
    const service = isStar ? 'webprnt' : 'epos';
    const printer = await startLanPrinter(service, '127.0.0.1', { port: asked.port, dots });
    const model = isStar ? 'Star (mC-Print3)' : 'Epson (TM-m30)';
    console.log(
      `A printer for browsers listens at ${printer.address}: its model is ${model}. Open the order board on this machine.`,
    );
    return show(printer, isStar ? 'A Star printer with WebPRNT' : 'An Epson printer with ePOS', page);
  }
  const signIn = { ...asked.signIn, dots };
  const printer = asked.kind === 'star' ? createStarPrinter(signIn) : createEpsonPrinter(signIn);
  printer.start();
  console.log(`The printer polls ${signIn.pollUrl} every 5 s.`);
  const title = asked.kind === 'star' ? 'A Star printer with CloudPRNT' : 'An Epson printer with Server Direct Print';
  return show(printer, title, page);
}

async function show(printer: Parameters<typeof servePaper>[0], title: string, port: number): Promise<void> {
  const { url } = await servePaper(printer, { title, port });
  console.log(`Watch the paper come out: ${url}`);
  process.once('SIGINT', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
}

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
