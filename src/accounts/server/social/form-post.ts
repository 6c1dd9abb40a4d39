import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { keepPostedName } from '#accounts/server/social/attempts.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { shorten } from '#platform/graphemes.ts';

const bodyLimit = 16 * 1024;

/** The parameters of a provider's answer; everything else is left out. */
const Posted = z.object({
  state: z.string().max(500).optional(),
  code: z.string().max(4000).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(200).optional(),
  user: z.string().max(4000).optional(),
});

/** The `user` that Apple posts the first time that a person signs in. It is not signed, so only the name is used. */
const PostedPerson = z.object({
  name: z.object({ firstName: z.string().max(80).catch(''), lastName: z.string().max(80).catch('') }),
});

/**
 * Takes the answer of a provider that posts it (OpenID's `form_post`), and redirects the browser to the page that other
 * providers redirect to. Code and state go behind `#`, so that no server or log sees them again.
 */
export function serveFormPost(http: FastifyInstance, { db }: Pick<AccountServices, 'db'>): void {
  http.post('/auth/callback', { bodyLimit }, async (request, reply) => {
    const { user, ...answer } = Posted.safeParse(request.body).data ?? {};
    const name = readName(user);
    if (name !== '' && answer.state !== undefined) await keepPostedName(db, answer.state, name);
    const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(`/auth/callback#${new URLSearchParams(given).toString()}`, 303);
  });
}

function readName(user: string | undefined): string {
  if (user === undefined) return '';
  try {
    const { firstName, lastName } = PostedPerson.parse(JSON.parse(user)).name;
    const words = `${firstName} ${lastName}`.replaceAll(/\p{C}/gu, '');
    return shorten(words.replaceAll(/\s+/g, ' ').trim(), 80, '');
  } catch {
    return '';
  }
}
