import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { m } from '#messages';
import { refuseDeeplyNestedJson } from '#platform/http/parse.ts';
import { AppError } from '#platform/errors.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { isStaff, type Viewer } from '#platform/http/viewer.ts';
import { bodyTooLargeError } from '#platform/server/files/stored-files.ts';
import { Readable } from 'node:stream';

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body as received, for a payment provider's signature. */
    rawBody: string;
    /** The limit of this caller's body in bytes; 0: only the route's limit applies. */
    maxBytes: number;
  }
  interface FastifyContextConfig {
    /** The JSON body stays an unparsed text. */
    isSigned?: boolean;
    /** The handler reads the uploaded file as a stream. */
    isStreamed?: boolean;
  }
}

/** The default limits of a body in bytes: for staff, and for other callers. */
export const maxStaffBodyBytes = 1024 * 1024;
export const maxGuestBodyBytes = 64 * 1024;

export function maxBodyBytes({ upload, bodyLimit }: Endpoint, viewer: Viewer): number {
  return upload?.limit ?? bodyLimit ?? (isStaff(viewer) ? maxStaffBodyBytes : maxGuestBodyBytes);
}

/** Adds parsers for JSON, form and file bodies. Other content types are refused unread. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('rawBody', '');
  app.decorateRequest('maxBytes', 0);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, body: IncomingMessage) => {
    const text = (await readAll(request, body)).toString();
    request.rawBody = text;
    if (text === '' || request.routeOptions.config.isSigned) return undefined;
    refuseDeeplyNestedJson(text);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new AppError('malformed_request', m.platform_malformed_json());
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, body: IncomingMessage) =>
      Object.fromEntries(new URLSearchParams((await readAll(request, body)).toString())),
  );
  app.addContentTypeParser(fileTypes, async (request: FastifyRequest, body: IncomingMessage) =>
    request.routeOptions.config.isStreamed ? body : readAll(request, body),
  );
}

/** Reads a body into memory. Throws 413 once the limit is exceeded, 400 if the body is incomplete. */
async function readAll(request: FastifyRequest, body: IncomingMessage): Promise<Buffer> {
  const most = request.maxBytes || request.routeOptions.bodyLimit || maxGuestBodyBytes;
  if (Number(body.headers['content-length'] ?? 0) > most) throw bodyTooLargeError(body);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw bodyTooLargeError(body);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('malformed_request', m.platform_malformed_request());
  }
  return Buffer.concat(chunks, size);
}

/** The content types of files, which are not parsed. Only endpoints with an `upload` accept them. */
const fileTypes = [
  ...['jpeg', 'png', 'webp', 'avif', 'gif'].map((name) => `image/${name}`),
  'application/vnd.android.package-archive',
  'application/octet-stream',
];

/**
 * Throws 415 for a wrong declared content type, or a compressed body. It runs before the body is read, because a few
 * compressed bytes may expand to gigabytes.
 */
export function refuseWrongContentType({ upload }: Endpoint, headers: IncomingHttpHeaders): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', m.platform_body_compressed());
  }
  if (type !== '' && fileTypes.includes(type.trim()) !== Boolean(upload)) throw otherType(upload);
}

/** Throws 415 if a body is a file where JSON is expected, or vice versa. */
export function refuseWrongParsedBody({ upload }: Endpoint, body: unknown): void {
  if ((Buffer.isBuffer(body) || body instanceof Readable) === Boolean(upload)) return;
  throw otherType(upload);
}

function otherType(upload: Endpoint['upload']): AppError {
  return upload
    ? unsupportedFileTypeError(upload)
    : new AppError('unsupported_media_type', m.platform_unsupported_media_type());
}

export function unsupportedFileTypeError(upload: Endpoint['upload']): AppError {
  const types = upload?.types.join(', ') ?? '';
  return new AppError('unsupported_media_type', m.platform_file_wanted({ types }));
}

/** Whether an error is the framework's refusal of an unknown content type. */
export function isUnknownContentTypeError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
}
