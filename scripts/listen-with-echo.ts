/**
 * Listens to a running shop as an existing client would, with laravel-echo and pusher-js from npm, and prints every
 * `.store.updated`. Usage: node scripts/listen-with-echo.ts [http://localhost:3000] [PUSHER_APP_KEY]. Without a key it
 * uses the key in the shop's own pages.
 */
import Echo from 'laravel-echo';
import type PusherTypes from 'pusher-js';
import * as pusherModule from 'pusher-js';

// The Node build exports the class itself, but its types describe the browser's module.
const Pusher = (pusherModule as unknown as { default: typeof PusherTypes & typeof PusherTypes.default }).default;

const shop = new URL(process.argv[2] ?? 'http://localhost:3000');
const key = process.argv[3] ?? (await findKey(shop));
const isSecure = shop.protocol === 'https:';
const port = Number(shop.port) || (isSecure ? 443 : 80);

const echo = new Echo({
  broadcaster: 'pusher',
  Pusher,
  key,
  cluster: 'mt1',
  wsHost: shop.hostname,
  wsPort: port,
  wssPort: port,
  forceTLS: isSecure,
  enabledTransports: ['ws', 'wss'],
  disableStats: true,
});
echo.connector.pusher.connection.bind('error', (error: unknown) => console.error('connection:', JSON.stringify(error)));
echo
  .channel('stores')
  .subscribed(() => console.log(`listening to ${shop.origin}`))
  .listen('.store.updated', ({ store }: { store: { name: string; version: number } }) => {
    console.log(`.store.updated ${JSON.stringify({ name: store.name, version: store.version })}`);
  });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    echo.disconnect();
    process.exit(0);
  });
}

async function findKey(origin: URL): Promise<string> {
  const page = await (await fetch(origin)).text();
  const own = /"realtime":\{"key":"([\w-]+)"/.exec(page)?.[1];
  if (own) return own;
  throw new Error(`The pages of ${origin.origin} show no key. Give the shop's PUSHER_APP_KEY as the second argument.`);
}
