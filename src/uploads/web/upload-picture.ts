import { m } from '#messages';
import { apiAddress, ApiError, readToken } from '#platform/web/api.ts';
import type { Picture } from '#uploads/contract.ts';
import { shrinkPicture } from '#uploads/web/shrink-picture.ts';

/** The longest side of an uploaded picture in pixels: twice the largest stored width. */
const longestSide = 1600;
/** The maximum size of a file that the page opens (bytes). */
const largestFile = 100 * 1024 * 1024;

/** Shrinks and uploads a picture, and reports the progress from 0 to 1. Throws ApiError. */
export async function uploadPicture(file: File, onProgress: (part: number) => void): Promise<Picture> {
  if (file.size > largestFile) throw new ApiError(413, { code: 'payload_too_large', message: m.uploads_too_large() });
  return sendFile<Picture>('/v1/uploads', await shrinkPicture(file, longestSide), onProgress);
}

/** Sends a file as the body of a call, and returns the response's data. Throws ApiError. */
export function sendFile<T>(path: string, file: Blob, onProgress: (part: number) => void = () => {}): Promise<T> {
  // `XMLHttpRequest`, because `fetch` cannot report the progress of an upload.
  const request = new XMLHttpRequest();
  request.open('POST', apiAddress(path));
  request.setRequestHeader('content-type', file.type);
  const token = readToken();
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
  return new Promise((resolve, reject) => {
    request.addEventListener('error', () => reject(new ApiError(0, { code: 'offline' })));
    request.addEventListener('load', () => {
      const body = readBody(request.responseText);
      // The cast is safe if the caller passes the contract's response type for this path.
      if (request.status === 200 || request.status === 201) resolve(body['data'] as T);
      else reject(new ApiError(request.status, body));
    });
    request.send(file);
  });
}

function readBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
