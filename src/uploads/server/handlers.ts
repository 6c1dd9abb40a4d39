import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { auditDone } from '#database/audit.ts';
import { sha256Of, storeFile } from '#platform/server/files/stored-files.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';
import type { uploads } from '#uploads/contract.ts';
import { drawSizes } from '#uploads/server/drawing.ts';

export function uploadsHandlers({ files }: { files: FileStore }): Handlers<typeof uploads, Db, Tx> {
  return {
    // The answer is sent after all sizes are stored, so that every size it names exists.
    'POST /v1/uploads': async ({ file, db, ...call }) => {
      const hash = sha256Of(file);
      const made = await drawSizes(file);
      const sizes = await Promise.all(
        made.map(async ({ width, height, format, bytes }) => {
          const url = await storeFile(files, `${hash}-${width}.${format}`, bytes);
          return { url, type: `image/${format}`, width, height };
        }),
      );
      const largest = sizes.findLast(({ type }) => type === 'image/webp');
      if (!largest) throw new AppError('unsupported_media_type', m.uploads_no_picture());
      const { url, width, height } = largest;
      await auditDone(db, 'POST /v1/uploads', call, null);
      return { data: { url, width, height, sizes } };
    },
  };
}
