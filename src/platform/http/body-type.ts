import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';

/** Bodies of these types are not parsed; only the calls that take a file accept one. */
export const fileTypes = [
  ...['jpeg', 'png', 'webp', 'avif', 'gif'].map((name) => `image/${name}`),
  'application/vnd.android.package-archive',
  'application/octet-stream',
];

/**
 * Checks the body's declared type and encoding before anything of it is read. Nothing is unpacked: a few bytes may
 * become gigabytes.
 */
export function refuseUnreadTypes({ upload }: Endpoint, headers: IncomingHttpHeaders): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', m.platform_body_compressed());
  }
  if (type !== '' && fileTypes.includes(type.trim()) !== Boolean(upload)) throw otherType(upload);
}

/** The body is a file where JSON is expected, or the other way round. */
export function refuseOtherTypes({ upload }: Endpoint, body: unknown): void {
  if ((Buffer.isBuffer(body) || body instanceof Readable) === Boolean(upload)) return;
  throw otherType(upload);
}

function otherType(upload: Endpoint['upload']): AppError {
  return upload ? fileWanted(upload) : new AppError('unsupported_media_type', m.platform_unsupported_media_type());
}

export function fileWanted(upload: Endpoint['upload']): AppError {
  const types = upload?.types.join(', ') ?? '';
  return new AppError('unsupported_media_type', m.platform_file_wanted({ types }));
}

/** The framework's own refusal of a body type that it has no parser for. */
export function isOtherType(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
}
