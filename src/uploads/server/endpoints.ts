import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { sha256Of, storeFile } from '#platform/server/stored-files.ts';
import type { Services } from '#services.ts';
import type { uploads } from '#uploads/contract.ts';
import { makeSizes } from '#uploads/server/make-sizes.ts';

export function uploadsEndpoints({ config }: Services): Handlers<typeof uploads, Db> {
  return {
    'POST /v1/uploads': async ({ file }) => {
      const hash = sha256Of(file);
      const sizes = [];
      for (const { width, height, format, bytes } of await makeSizes(file)) {
        const url = await storeFile(config.dataDir, `${hash}-${width}.${format}`, bytes);
        sizes.push({ url, type: `image/${format}`, width, height });
      }
      const largest = sizes.findLast(({ type }) => type === 'image/webp');
      if (!largest) throw new AppError('unsupported_media_type', m.uploads_no_picture());
      return { data: { url: largest.url, width: largest.width, height: largest.height, sizes } };
    },
  };
}
