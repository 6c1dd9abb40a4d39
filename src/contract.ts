import { accounts, setup } from '#accounts/contract.ts';
import { devices } from '#accounts/device-contract.ts';
import { factors } from '#accounts/factor-contract.ts';
import { signInProviders, social } from '#accounts/provider-contract.ts';
import { appRelease } from '#app-release/contract.ts';
import { audit } from '#audit/contract.ts';
import { backup } from '#backup/contract.ts';
import { backupPlace } from '#backup/place-contract.ts';
import { complaints } from '#complaints/contract.ts';
import { kitchen } from '#kitchen/contract.ts';
import { printing } from '#printing/contract.ts';
import { menu } from '#menu/contract.ts';
import { claimOrderEndpoints, ordering } from '#ordering/contract.ts';
import { payment } from '#payment/contract.ts';
import { office } from '#office/contract.ts';
import { people } from '#people/contract.ts';
import { mail } from '#mail/contract.ts';
import { push } from '#push/contract.ts';
import { realtime } from '#realtime/contract.ts';
import { reports } from '#reports/contract.ts';
import { store } from '#store/contract.ts';
import { storefront } from '#storefront/contract.ts';
import { uploads } from '#uploads/contract.ts';
import { watch } from '#watch/contract.ts';

export const contract = {
  ...accounts,
  ...social,
  ...devices,
  ...factors,
  ...signInProviders,
  ...setup,
  ...store,
  ...menu,
  ...ordering,
  ...claimOrderEndpoints,
  ...printing,
  ...kitchen,
  ...payment,
  ...reports,
  ...realtime,
  ...appRelease,
  ...uploads,
  ...mail,
  ...push,
  ...complaints,
  ...people,
  ...audit,
  ...watch,
  ...backup,
  ...backupPlace,
  ...storefront,
  ...office,
} as const;

declare module '#platform/http/endpoint.ts' {
  interface ContractRegister {
    contract: typeof contract;
  }
}
