import { LRUCache } from 'lru-cache';
import type { Db, Tx } from '#database/schema.ts';
import { Prebuilt, type PrebuiltBytes } from '#platform/http/answer.ts';
import type { Endpoint, EndpointKey, Endpoints } from '#platform/http/endpoint.ts';
import type { CallTo, Handlers } from '#platform/http/serve.ts';
import { isStaff } from '#platform/http/viewer.ts';
import { limitCalls } from '#platform/server/call-limits.ts';
import { prebuild } from '#platform/server/prebuild.ts';
import { createTurns } from '#platform/server/turns.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';

/** In bytes, of all answers in every encoding. */
const mostKept = 16 * 1024 * 1024;
const longestKey = 500;

/**
 * The public reads of stores and menus, answered to everybody but staff from bytes that are cached until a store or its
 * menu changes. A miss is built at a limited rate for each network, and lists one at a time: readers who ask for ever
 * new pages hold one connection.
 */
export function keepReads<const C extends Endpoints>(
  menus: Pick<ShopCache, 'onChange'>,
  contract: C,
  handlers: Handlers<C, Db, Tx>,
  /** The calls that cache their answers themselves, or whose answers depend on the time. */
  except: readonly (keyof C)[],
): Handlers<C, Db, Tx> {
  const kept = new LRUCache<string, PrebuiltBytes>({ maxSize: mostKept, sizeCalculation: sizeOf });
  const building = new Map<string, Promise<unknown>>();
  const turns = createTurns({ mostWaiting: 50, pause: 20 });
  const limitLists = limitCalls({ burst: 100, perSecond: 2 });
  const limitOthers = limitCalls({ burst: 600, perSecond: 20 });
  let version = 0;
  menus.onChange(() => {
    version += 1;
    kept.clear();
    // A build under way may be stale after the change: later callers wait for the next one.
    building.clear();
  });

  async function build(key: string, endpoint: Endpoint | undefined, read: () => unknown): Promise<unknown> {
    const begun = version;
    const answer = await read();
    // Through the schema, as every answer is.
    const body = JSON.stringify(endpoint?.response?.parse(answer));
    const bytes = await prebuild(body, 'application/json; charset=utf-8', 'no-cache');
    if (version === begun && key.length <= longestKey) kept.set(key, bytes);
    return new Prebuilt(bytes);
  }

  function keep<K extends keyof C & EndpointKey>(name: K): Handlers<C, Db, Tx>[K] {
    const handler = handlers[name];
    const answer = (call: CallTo<C, K, Db, Tx>) => {
      if (isStaff(call.viewer)) return handler(call);
      const key = JSON.stringify([name, call.params, call.query]);
      const bytes = kept.get(key);
      if (bytes) return new Prebuilt(bytes);
      const begun = building.get(key);
      if (begun) return begun;
      const isList = !name.includes('{');
      (isList ? limitLists : limitOthers)(call);
      const work = () => build(key, contract[name], () => handler(call));
      const built = isList ? turns.take(work) : work();
      building.set(key, built);
      const end = () => {
        if (building.get(key) === built) building.delete(key);
      };
      built.then(end, end);
      return built;
    };
    // The handler's answer, or the same as bytes.
    return answer as Handlers<C, Db, Tx>[K];
  }

  const isKept = (name: keyof C & EndpointKey) =>
    name.startsWith('GET ') && contract[name]?.access === 'guest' && !except.includes(name);
  // A contract's keys are endpoints.
  const reads = (Object.keys(contract) as (keyof C & EndpointKey)[]).filter(isKept);
  return { ...handlers, ...Object.fromEntries(reads.map((name) => [name, keep(name)])) };
}

function sizeOf({ identity, br, gzip }: PrebuiltBytes): number {
  return identity.length + br.length + gzip.length + 1;
}
