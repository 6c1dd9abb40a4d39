import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPages as buildShopPages } from '../src/testing/running-shop.ts';
import { useScratchFolder } from '../src/testing/scratch.ts';
import {
  compileJava,
  findKey,
  makeKey,
  packageApk,
  packageBundle,
  type Content,
  type SigningKey,
} from './build/package-apps.ts';
import { type App, packageOf } from './build/manifest.ts';
import { readParameters } from './build/parameters.ts';
import { fetchTools } from './build/tools.ts';
import { buildPages } from './build/web-pages.ts';
import { checkApp, checkBoard, checkLogic, compileAppTests, translate } from './checks/java.ts';
import { checkKitchenPages } from './checks/kitchen-pages.ts';
import { openNetwork } from './checks/network.ts';
import { checkBundle, checkPackage, checkParts, hashOf } from './checks/package.ts';
import { checkCustomerPages } from './checks/pages.ts';
import { openBrowser, unpack } from './checks/phone.ts';
import { checkOtherShop, checkParameters, otherShop } from './checks/parameters.ts';
import { checkRoundTrips } from './checks/round-trips.ts';
import { openShop, publish, type Shop, upload } from './checks/shop.ts';
import { measureStart } from './checks/start-time.ts';
import { checkTools } from './checks/tools.ts';
import { Tally } from './checks/tally.ts';

// `npm run android -- check`: builds both apps twice, and checks what a machine can check of them without a phone.
process.env['NODE_ENV'] = 'production';
process.chdir(new URL('../', import.meta.url).pathname);
useScratchFolder();
buildShopPages();
const tally = new Tally();
const began = performance.now();
const work = mkdtempSync(join(tmpdir(), 'android-check-'));
const parameters = { ...readParameters({}), isDebug: false };
const say = (line: string) => console.log(line);

await fetchTools(say, { isForChecks: true });
const key = await findKey();
const foreign = { ...key, keystore: join(work, 'foreign.p12'), alias: 'foreign' };
await makeKey(foreign.keystore, foreign.alias, 'CN=Somebody else');

const first = join(work, 'first');
const second = join(work, 'second');
const of = (round: string, file: string) => join(round, `${file}`);

try {
  await tally.part('builds', async (part) => {
    // Neither the zone nor the umask of a machine is in them.
    await Promise.all([build(first), buildElsewhere(second)]);
    for (const file of ['customer.apk', 'kitchen.apk', 'customer.aab']) {
      part.equal(`two builds of ${file} are equal`, hashOf(of(first, file)), hashOf(of(second, file)));
    }
  });
  await tally.part('packages', (part) => {
    for (const app of ['customer', 'kitchen'] as const) {
      checkPackage(part, of(first, `${app}.apk`), app, packageOf(app, parameters), parameters);
    }
    checkBundle(part, of(first, 'customer.aab'));
    checkParts(part, { customer: of(first, 'customer.apk'), kitchen: of(first, 'kitchen.apk') });
  });
  const next = { ...parameters, version: '3.10.19' };
  const [update, stolen] = [join(work, 'update.apk'), join(work, 'stolen.apk')];
  const kitchenUpdate = join(work, 'kitchen-update.apk');
  const other = { ...parameters, ...otherShop };
  await Promise.all([
    packageOne('customer', next, first, update, key),
    packageOne('customer', next, first, stolen, foreign),
    packageOne('kitchen', next, first, kitchenUpdate, key),
    packageOne('customer', other, first, join(work, 'other.apk'), key),
  ]);
  await tally.part('parameters and tools', async (part) => {
    checkOtherShop(part, join(work, 'other.apk'));
    checkTools(part, join(work, 'tools'));
    await checkParameters(part);
  });
  const www = unpack(of(first, 'customer.apk'), join(work, 'customer'));
  const board = unpack(of(first, 'kitchen.apk'), join(work, 'kitchen'));
  const shop = await openShop(parameters.address);
  try {
    await tally.part('the office', async (part) => {
      await publish(part, shop, 'android', update);
      const other = await upload(shop, 'android', stolen);
      part.check('a file of another signer is refused', other.status === 422, other);
    });
    const { address, version } = parameters;
    const network = { address, server: shop.url, keystore: foreign.keystore };
    const phones = await openPhones({ ...network, www });
    const tablets = await openPhones({ ...network, www: board });
    const customer = { app: 'customer', address, version } as const;
    const kitchen = { app: 'kitchen', address, version } as const;
    // The JVM and Chromium side by side; what is measured comes afterwards, alone.
    await Promise.all([
      runBytecode(shop, { www, board, update, stolen, kitchenUpdate }),
      (async () => {
        await tally.part("the customers' pages in Chromium", (part) =>
          checkCustomerPages(part, phones.browser, phones.network, customer),
        );
        await tally.part('to a Custom Tab and back', (part) => checkRoundTrips(part, phones.browser, customer, shop));
        await tally.part("the kitchen's pages in Chromium", (part) =>
          checkKitchenPages(part, tablets.browser, kitchen, shop),
        );
      })(),
    ]);
    await tally.part('the start', (part) => measureStart(part, phones.browser, phones.network, customer));
    for (const { browser, network } of [phones, tablets]) {
      await browser.close();
      await network.end();
    }
  } finally {
    await shop.end();
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`\n${((performance.now() - began) / 1000).toFixed(0)} s\n${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);

/** The apps' own code on a JVM. The board's orders and those of its pages would ring for each other, so each has a shop. */
async function runBytecode(
  shop: Shop,
  {
    www,
    board,
    update,
    stolen,
    kitchenUpdate,
  }: Record<'www' | 'board' | 'update' | 'stolen' | 'kitchenUpdate', string>,
): Promise<void> {
  const folder = join(work, 'bytecode');
  mkdirSync(folder);
  const { address } = parameters;
  const translated = translate(of(first, 'customer.apk'), folder);
  await tally.part('the Java logic', (part) => checkLogic(part, join(first, 'java', 'classes'), translated, folder));
  const java = compileAppTests(translated, folder);
  await tally.part("the APK's bytecode and its update through the real server", (part) =>
    checkApp(part, java, {
      assets: join(www, '..'),
      server: shop.url,
      installed: of(first, 'customer.apk'),
      update,
      foreign: stolen,
      address,
    }),
  );
  const own = await openShop(address);
  try {
    await tally.part("the bytecode of the kitchen's board", async (part) => {
      await publish(part, own, 'android-kitchen', kitchenUpdate);
      const tablet = await own.addTablet();
      const { hostname, port } = new URL(own.url);
      const { body } = await own.api('GET', '/v1/page-config');
      const { key: pusher } = (body['data'] as { realtime: { key: string } }).realtime;
      const given = {
        assets: join(board, '..'),
        server: own.url,
        installed: of(first, 'kitchen.apk'),
        update: kitchenUpdate,
        shop: address,
        store: own.storeId,
        device: tablet.id,
        device_token: tablet.token,
        owner_token: own.adminToken,
        realtime: { key: pusher, host: hostname, port: Number(port), tls: false },
        order: await own.basket(),
      };
      await checkBoard(part, java, given, folder);
    });
  } finally {
    await own.end();
  }
}

async function openPhones(options: Parameters<typeof openNetwork>[0]) {
  const network = await openNetwork(options);
  return { network, browser: await openBrowser(network) };
}

/** `npm run android` itself, as on a machine with another zone and another umask. */
async function buildElsewhere(out: string): Promise<void> {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo';
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('ANDROID_'));
  const env = { ...Object.fromEntries(own), ...keyVariables(), TZ: zone, ANDROID_OUT: out };
  await promisify(execFile)('sh', ['-c', 'umask 077; exec node android/build.ts'], { env });
}

/** Signs by the same key. */
function keyVariables(): Record<string, string | undefined> {
  const names = [
    'ANDROID_KEYSTORE',
    'ANDROID_KEYSTORE_PASSWORD',
    'ANDROID_KEY_ALIAS',
    'ANDROID_KEY_PASSWORD',
    'ANDROID_TOOLS',
  ];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Everything of one build, in a folder of its own. */
async function build(round: string): Promise<void> {
  mkdirSync(round);
  const dex = compileJava(join(round, 'java'));
  for (const app of ['customer', 'kitchen'] as const) await buildPages(app, parameters, join(round, `${app}-assets`));
  await dex;
  for (const app of ['customer', 'kitchen'] as const)
    await packageOne(app, parameters, round, of(round, `${app}.apk`), key);
  await packageBundle(content('customer', parameters, round, 'bundle'), key, of(round, 'customer.aab'));
}

async function packageOne(
  app: App,
  values: typeof parameters,
  round: string,
  out: string,
  signer: SigningKey,
): Promise<void> {
  await packageApk(content(app, values, round, `package-${basename(out)}`), signer, out);
}

function content(app: App, values: typeof parameters, round: string, name: string): Content {
  const folder = join(round, name);
  mkdirSync(folder, { recursive: true });
  return {
    app,
    parameters: values,
    assets: join(round, `${app}-assets`),
    dex: join(round, 'java', 'classes.dex'),
    folder,
  };
}
