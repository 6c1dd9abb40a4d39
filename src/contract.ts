import { accountEndpoints, setupEndpoints } from '#accounts/contract.ts';
import { deviceEndpoints } from '#accounts/device-contract.ts';
import { factorEndpoints } from '#accounts/factor-contract.ts';
import { signInProviderEndpoints, socialSignInEndpoints } from '#accounts/provider-contract.ts';
import { appReleaseEndpoints } from '#app-release/contract.ts';
import { auditEndpoints } from '#audit/contract.ts';
import { backupEndpoints } from '#backup/contract.ts';
import { backupPlaceEndpoints } from '#backup/place-contract.ts';
import { complaintEndpoints } from '#complaints/contract.ts';
import { kitchenEndpoints } from '#kitchen/contract.ts';
import { printingEndpoints } from '#printing/contract.ts';
import { allMenuEndpoints } from '#menu/contract.ts';
import { accountLinkEndpoints, orderEndpoints } from '#ordering/contract.ts';
import { offerEndpoints } from '#offers/contract.ts';
import { paymentEndpoints } from '#payment/contract.ts';
import { officeEndpoints } from '#office/contract.ts';
import { peopleEndpoints } from '#people/contract.ts';
import { mailEndpoints } from '#mail/contract.ts';
import { pushEndpoints } from '#push/contract.ts';
import { realtimeEndpoints } from '#realtime/contract.ts';
import { reportEndpoints } from '#reports/contract.ts';
import { storeEndpoints } from '#store/contract.ts';
import { storefrontEndpoints } from '#storefront/contract.ts';
import { uploadEndpoints } from '#uploads/contract.ts';
import { watchEndpoints } from '#watch/contract.ts';

export const contract = {
  ...accountEndpoints,
  ...socialSignInEndpoints,
  ...deviceEndpoints,
  ...factorEndpoints,
  ...signInProviderEndpoints,
  ...setupEndpoints,
  ...storeEndpoints,
  ...allMenuEndpoints,
  ...orderEndpoints,
  ...accountLinkEndpoints,
  ...printingEndpoints,
  ...kitchenEndpoints,
  ...offerEndpoints,
  ...paymentEndpoints,
  ...reportEndpoints,
  ...realtimeEndpoints,
  ...appReleaseEndpoints,
  ...uploadEndpoints,
  ...mailEndpoints,
  ...pushEndpoints,
  ...complaintEndpoints,
  ...peopleEndpoints,
  ...auditEndpoints,
  ...watchEndpoints,
  ...backupEndpoints,
  ...backupPlaceEndpoints,
  ...storefrontEndpoints,
  ...officeEndpoints,
} as const;

declare module '#platform/http/endpoint.ts' {
  interface ContractRegister {
    contract: typeof contract;
  }
}
