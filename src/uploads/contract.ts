import { z } from 'zod';
import { SingleAnswer } from '#platform/http/shapes.ts';

const PictureSize = z.object({ url: z.string(), type: z.string(), width: z.int(), height: z.int() });

/** A stored picture. `url` is its largest WebP; `sizes` has each width as AVIF and as WebP. */
export const Picture = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  sizes: z.array(PictureSize),
});
export type Picture = z.infer<typeof Picture>;

/** The maximum size of an uploaded picture (bytes). */
export const maxPictureBytes = 8 * 1024 * 1024;

export const uploadEndpoints = {
  'POST /v1/uploads': {
    access: 'admin',
    summary: 'Store a picture in the sizes the pages use: at most 8 MB and 40 megapixels, the file itself as the body.',
    upload: {
      types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
      limit: maxPictureBytes,
    },
    response: SingleAnswer(Picture),
    status: 201,
    // The handler opens its own transaction, because drawing and storing are slow and must not hold a database
    // connection.
    ownTransaction: true,
  },
} as const;
