import { servedCalls } from '#database/served-calls.ts';
import { officeEndpoints, type Versions } from '#office/contract.ts';
import type { z } from 'zod';
import { factorsOf, needsSecondFactor } from '#accounts/server/factors/factor-rows.ts';
import { storeHasDevice } from '#accounts/server/devices/device-tokens.ts';
import { isTestedVersion } from '#database/check-database.ts';
import type { Db, Tx } from '#database/schema.ts';
import { m } from '#messages';
import { hasMailServer } from '#mail/server/services.ts';
import { readMailTrouble } from '#mail/server/mail-trouble.ts';
import { type OnboardingFacts, onboardingSteps } from '#office/onboarding.ts';
import { storeOrders } from '#ordering/server/order-views.ts';
import type { KeySets } from '#payment/server/keys/key-sets.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readStorePrinters } from '#printing/server/printer-views.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { isOnboarding, setOnboarding } from '#store/server/change-store.ts';

interface OfficeServices {
  config: { SMTP_URL?: string | undefined };
  /** The demo shop's facts. They are passed in, because a domain does not import another one of the same level. */
  demo: NonNullable<OnboardingFacts['demo']>;
  keySets: Pick<KeySets, 'current'>;
  menus: Pick<ShopCache, 'shop' | 'store'>;
  versions: Omit<z.output<typeof Versions>, 'is_postgres_tested'>;
}

function officeHandlers({
  config,
  demo,
  keySets,
  menus,
  versions,
}: OfficeServices): Handlers<typeof officeEndpoints, Db, Tx> {
  return {
    'GET /v1/versions': async () => ({
      data: { ...versions, is_postgres_tested: isTestedVersion(versions.postgres) },
    }),

    'GET /v1/stores/{id}/first-evening': async ({ db, params: { id }, viewer }) => {
      const shop = await menus.shop(id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      const dishes = shop.menus.flatMap(({ categories }) =>
        categories.flatMap(({ items = [] }) => items.map(({ name }) => name)),
      );
      const steps = onboardingSteps({
        store: shop.store,
        demo: shop.isDemo ? demo : null,
        dishes,
        cardMode: keySets.current()?.mode ?? null,
        hasPrinter: (await readStorePrinters(db, id)).length > 0,
        hasDevice: await storeHasDevice(db, id),
        sendsMail: hasMailServer(config) && (await readMailTrouble(db)) === null,
        hasSecondFactor: needsSecondFactor(await factorsOf(db, viewer.id ?? '')),
        hasOrder: await storeOrders.hasAny(db, id),
      });
      return { data: { is_shown: await isOnboarding(db, id), steps } };
    },

    'POST /v1/stores/{id}/first-evening': async ({ db, params: { id }, body }) => {
      if (!(await menus.store(db, id))) throw new AppError('not_found', m.store_not_found());
      await setOnboarding(db, id, body.is_shown);
    },
  };
}

export const officeDomain = { name: 'office', calls: [servedCalls(officeEndpoints, officeHandlers)] };
