import { endpointRegistration } from '#database/endpoint-registration.ts';
import { officeEndpoints, type Versions } from '#office/contract.ts';
import type { z } from 'zod';
import { factorsOf, hasSecondFactor } from '#accounts/server/factors/factor-rows.ts';
import { staffIdsOfStore } from '#accounts/server/users.ts';
import { storeHasDevice } from '#accounts/server/devices/device-tokens.ts';
import { isTestedPostgresVersion } from '#database/check-database.ts';
import type { Db, Tx } from '#database/schema.ts';
import { m } from '#messages';
import { hasMailServer } from '#mail/server/services.ts';
import { readMailTrouble } from '#mail/server/mail-trouble.ts';
import { hasNoTodoStep, type OnboardingFacts, onboardingSteps } from '#office/onboarding.ts';
import { readOrderMilestones } from '#ordering/server/order-views.ts';
import type { KeySetCache } from '#payment/server/keys/key-sets.ts';
import { AppError } from '#platform/errors.ts';
import { networkAddresses } from '#platform/server/addresses.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readStorePrinters } from '#printing/server/printer-views.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { readOnboarding, setOnboarding, type StoreChangeServices } from '#store/server/change-store.ts';
import { parsePostcode } from '#store/postcodes.ts';
import type { AddressLookup } from '#store/server/address-lookup.ts';
import { nearestSectors, postcodeSectorCentre } from '#store/server/postcode-sector-centre.ts';

interface OfficeServices {
  addresses: AddressLookup;
  config: { SMTP_URL?: string | undefined; HOST?: string | undefined };
  /**
   * The demo shop's store and dishes. The caller passes them in, because domains of one level do not import each other.
   */
  demo: NonNullable<OnboardingFacts['demo']>;
  keySets: Pick<KeySetCache, 'current'>;
  menus: Pick<ShopCache, 'shop' | 'forget'>;
  outbox: StoreChangeServices['outbox'];
  versions: Omit<z.output<typeof Versions>, 'is_postgres_tested'>;
}

function officeHandlers({
  addresses,
  config,
  demo,
  keySets,
  menus,
  outbox,
  versions,
}: OfficeServices): Handlers<typeof officeEndpoints, Db, Tx> {
  return {
    'GET /v1/versions': async () => ({
      data: { ...versions, is_postgres_tested: isTestedPostgresVersion(versions.postgres) },
    }),

    'GET /v1/stores/{id}/first-evening': async ({ db, params: { id }, viewer }) => {
      const shop = await menus.shop(id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      const orders = await readOrderMilestones(db, id);
      const { is_shown: isShown, settled } = await readOnboarding(db, id);
      const steps = onboardingSteps({
        store: shop.store,
        demo: shop.isDemo ? demo : null,
        dishes: [...shop.index.items.values()].map(({ item }) => ({
          name: item.name,
          isStated: item.allergens !== null,
        })),
        cardMode: keySets.current()?.mode ?? null,
        hasPrinter: (await readStorePrinters(db, id)).length > 0,
        hasDevice: await storeHasDevice(db, id),
        hasColleague: (await staffIdsOfStore(db, id)).length > 1,
        orders,
        settled: new Set(settled),
      });
      const { address, location_confirmed: isConfirmed } = shop.store;
      const postcode = isConfirmed ? null : parsePostcode(address.postcode);
      const lookedUp = postcode && (await addresses.find(postcode)).location;
      const proposed = lookedUp ?? postcodeSectorCentre(address.postcode);
      const pin = isConfirmed ? shop.store.location : proposed;
      return {
        data: {
          is_shown: isShown && !hasNoTodoStep(steps),
          steps,
          proposed_location: proposed,
          nearby: pin ? nearestSectors(pin, 12).map(({ sector: name, location }) => ({ name, location })) : [],
          local_addresses: isOnNetwork(config.HOST) ? networkAddresses() : [],
          sends_mail: hasMailServer(config) && (await readMailTrouble(db)) === null,
          has_customer_order: orders.isCustomers,
          has_second_factor: hasSecondFactor(await factorsOf(db, viewer.id ?? '')),
        },
      };
    },

    'POST /v1/stores/{id}/first-evening': async ({ params: { id }, body, ...call }) => {
      await setOnboarding({ menus, outbox }, call, id, body);
    },
  };
}

/** Whether the server listens to other devices. */
function isOnNetwork(host: string | undefined): boolean {
  return host === undefined || !['localhost', '127.0.0.1', '::1'].includes(host);
}

export const officeDomain = { name: 'office', calls: [endpointRegistration(officeEndpoints, officeHandlers)] };
