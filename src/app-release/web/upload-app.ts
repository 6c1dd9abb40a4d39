import type { AppFile } from '#app-release/contract.ts';
import type { AppPlatform } from '#app-release/platforms.ts';
import { apiAddress, ApiError, readToken } from '#platform/web/api.ts';

export interface AppUpload {
  /** Throws ApiError; `not_sent` once it is stopped. */
  done: Promise<AppFile>;
  stop(): void;
}

/** Sends an app's file, and reports the progress, from 0 to 1. */
export function uploadApp(file: File, platform: AppPlatform, onProgress: (part: number) => void): AppUpload {
  // Not with fetch, which cannot report the progress of a body.
  const request = new XMLHttpRequest();
  request.open('POST', apiAddress(`/v1/app-releases/files?platform=${platform}`));
  request.setRequestHeader('content-type', 'application/vnd.android.package-archive');
  request.setRequestHeader('accept', 'application/json');
  const token = readToken();
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
  const done = new Promise<AppFile>((resolve, reject) => {
    request.addEventListener('error', () => reject(new ApiError(0, { code: 'offline' })));
    request.addEventListener('abort', () => reject(new ApiError(0, { code: 'not_sent' })));
    request.addEventListener('load', () => {
      const body = readBody(request.responseText);
      if (request.status === 201) resolve(body['data'] as AppFile);
      else reject(new ApiError(request.status, body));
    });
    request.send(file);
  });
  return { done, stop: () => request.abort() };
}

function readBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
