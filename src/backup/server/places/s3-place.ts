import { streamChunks } from '#backup/server/sealing/key-pair.ts';
import { Readable } from 'node:stream';
import type { SecondPlace } from '#backup/server/places/place.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { ConfigError } from '#platform/errors.ts';
import { openS3, type S3Call, readS3ErrorCode, type S3Settings } from '#platform/server/files/s3.ts';

export interface S3PlaceSettings extends S3Settings {
  /** The prefix of all object keys, without leading or trailing slashes; may be empty. */
  prefix: string;
}

/**
 * Opens a bucket as a second backup location. The access key must list, read, write and delete objects under the
 * prefix.
 */
export function openS3Place({ prefix, ...settings }: S3PlaceSettings): SecondPlace {
  const { call, putFile } = openS3(settings);
  const name = `s3://${settings.bucket}${prefix ? `/${prefix}` : ''}`;
  const start = prefix ? `${prefix}/` : '';
  const failed = (what: string, why: unknown) =>
    new ConfigError(`${name} ${what}: ${why instanceof Error ? reasonOf(why) : String(why)}.`, { cause: why });

  /** The response; null if the object does not exist. */
  const answerOf = async (asking: Promise<Response>): Promise<Response | null> => {
    const answer = await asking.catch((error: unknown) => {
      throw failed('did not answer', error);
    });
    if (answer.ok) return answer;
    const reason = await readS3ErrorCode(answer);
    if (answer.status === 404 && reason !== 'NoSuchBucket') return null;
    throw failed(refusals[reason] ?? 'refused us', reason);
  };
  const ask = (asked: S3Call) => answerOf(call(asked));

  async function* bodyOf(answer: Response): AsyncIterable<Uint8Array> {
    try {
      if (answer.body) yield* streamChunks(answer.body);
    } catch (error) {
      throw failed('broke off', error);
    }
  }

  return {
    name,
    async put(file, local) {
      if ((await answerOf(putFile(start + file, local))) === null) throw failed('refused us', 'it is not there');
    },
    async open(file, size) {
      const answer = await ask({ method: 'GET', key: start + file, answerBytes: size });
      return answer && (answer.body ? Readable.from(bodyOf(answer), { objectMode: false }) : Readable.from([]));
    },
    async list() {
      const sizes = new Map<string, number>();
      let token: string | undefined = '';
      while (token !== undefined) {
        const query = { 'list-type': '2', prefix: start, ...(token && { 'continuation-token': token }) };
        const answer = await ask({ method: 'GET', key: '', query, answerBytes: 1024 * 1024 });
        if (answer === null) return null;
        const text = await answer.text().catch((error: unknown) => {
          throw failed('broke off', error);
        });
        for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          sizes.set(tagText(object, 'Key').slice(start.length), Number(tagText(object, 'Size')));
        }
        token = tagText(text, 'IsTruncated') === 'true' ? tagText(text, 'NextContinuationToken') : undefined;
      }
      return sizes;
    },
    async remove(file) {
      const answer = await ask({ method: 'DELETE', key: start + file });
      await answer?.body?.cancel();
    },
  };
}

/** Words for the S3 error codes whose cause an owner can remove. */
const refusals: Record<string, string> = {
  NoSuchBucket: 'is not there',
  InvalidAccessKeyId: 'does not know this access key',
  SignatureDoesNotMatch: 'does not accept this secret key',
  AccessDenied: 'does not let this key do that',
};

function tagText(xml: string, name: string): string {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

const unreachable: Record<string, string> = {
  ENOTFOUND: 'there is no such address',
  EAI_AGAIN: 'the internet cannot be reached',
  ECONNREFUSED: 'nobody answers at this address',
};

/** Explains the error by its cause, because the error of a failed `fetch` has the same message for all causes. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const known = unreachable[systemErrorCode(cause) ?? ''];
  if (known !== undefined) return known;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : error.message;
}
