import { apiAddress, ApiError, readToken } from '#platform/web/api.ts';
import type { Picture } from '#uploads/contract.ts';

/** What a picture's file may be, for a file input's `accept`. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'];

/** Sends a picture as it is and answers where it is kept. Throws ApiError, as every call does. */
export async function uploadPicture(file: File): Promise<Picture> {
  const response = await fetch(apiAddress('/v1/uploads'), {
    method: 'POST',
    headers: { 'content-type': file.type, accept: 'application/json', authorization: `Bearer ${readToken() ?? ''}` },
    body: file,
  }).catch(() => {
    throw new ApiError(0, { code: 'offline' });
  });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (!response.ok) throw new ApiError(response.status, body);
  // The server sends only what passed the endpoint's own schema.
  return body['data'] as Picture;
}
