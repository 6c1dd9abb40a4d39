import { m } from '#messages';
import { isDebugKey } from '#app-release/debug-key.ts';
import { platformOf, type AppPlatform } from '#app-release/platforms.ts';
import { type ApkFault, readApk, type ReadApk } from '#app-release/server/apk/read-apk.ts';
import { withApkFile } from '#app-release/server/apk/apk-file.ts';
import { refuseUnfit } from '#app-release/server/refuse-unfit.ts';
import type { AppReleaseCall, AppReleaseServices } from '#app-release/server/services.ts';
import { auditDone } from '#database/audit.ts';
import type { ApkFacts } from '#database/app-columns.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { receiveFile } from '#platform/server/files/receive-file.ts';
import { storeReceived } from '#platform/server/files/stored-files.ts';

const limit = 150 * 1024 * 1024;

/** Stores an uploaded app, if Android would install it and the shop could release it. */
export async function storeAppFile(
  { config, files, now }: AppReleaseServices,
  call: AppReleaseCall<'POST /v1/app-releases/files'>,
) {
  const { db, stream, query } = call;
  const announced = Number(call.header('content-length') ?? 0);
  return receiveFile(stream, { folder: files.incoming, limit, announced }, async ({ path, size, sha256 }) => {
    const facts = factsOf(await withApkFile(path, readApk));
    const platform = query.platform ?? platformOf(facts.app);
    await refuseUnfit(config, call, { facts, platform, field: 'file' });
    const url = await storeReceived(files, `${sha256}.apk`, path);
    await db
      .insertInto('app_files')
      .values({ sha256, size, facts: JSON.stringify(facts), created_at: now() })
      // The same file again: an earlier version of the shop may have read less from it.
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ facts: JSON.stringify(facts) }))
      .execute();
    await auditDone(db, 'POST /v1/app-releases/files', call, null);
    return { data: presentFile({ url, sha256, size, facts, platform }) };
  });
}

interface StoredApp {
  url: string;
  sha256: string;
  size: number;
  facts: ApkFacts;
  platform: AppPlatform | null;
}

function presentFile({ url, facts, ...file }: StoredApp) {
  return { ...facts, ...file, download_url: url };
}

function factsOf(read: ReadApk | ApkFault): ApkFacts {
  if (read === 'no_apk') throw new AppError('unsupported_media_type', m.app_release_no_apk());
  if (typeof read === 'string') throw invalid('file', faultWords(read));
  return {
    package: read.package,
    version: read.version.trim().replace(/^v/i, ''),
    version_code: read.versionCode,
    min_sdk: read.minSdk,
    target_sdk: read.targetSdk,
    signer: read.signer,
    is_debug_key: isDebugKey(read.subject),
    is_debuggable: read.isDebuggable,
    app: read.meta.get('hatch.app') ?? null,
    shop: read.meta.get('hatch.shop') ?? null,
  };
}

function faultWords(fault: Exclude<ApkFault, 'no_apk'>): string {
  if (fault === 'damaged') return m.app_release_damaged();
  return fault === 'unsigned' ? m.app_release_unsigned() : m.app_release_wrong_signature();
}
