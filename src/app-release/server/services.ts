import type { appReleaseEndpoints } from '#app-release/contract.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';

export interface AppReleaseServices {
  config: { APP_URL?: string | undefined };
  files: FileStore;
  now: () => Date;
}

export type AppReleaseCall<K extends keyof typeof appReleaseEndpoints> = HandlerInput<
  typeof appReleaseEndpoints,
  K,
  Db,
  Tx
>;
