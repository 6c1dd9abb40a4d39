import { appRelease } from '#app-release/contract.ts';
import { serveAssetLinks } from '#app-release/server/asset-links.ts';
import { appReleaseHandlers } from '#app-release/server/handlers.ts';
import { calls } from '#database/domain.ts';

export const appReleaseDomain = {
  name: 'app-release',
  calls: [calls(appRelease, appReleaseHandlers)],
  routes: serveAssetLinks,
};
