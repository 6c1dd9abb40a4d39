import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { listFiledMailIds, readFiledMail } from '#mail/server/mail-retention.ts';
import type { TestApp } from '#testing/test-app.ts';

interface FiledMail {
  id: string;
  to: string;
  subject: string;
  state: string;
}
/** Every new address is asked to confirm itself; most tests are about other mail. */
export type MailKind = 'verification' | 'other';

export const password = 'correct horse';

/** What a person does with an account, and the mails about it; `world` is read at each call. */
export function accountTools(world: () => { app: TestApp; admin: string }) {
  const mailTo = async (email: string, kind: MailKind = 'other'): Promise<FiledMail[]> => {
    const { app, admin } = world();
    const { body } = await app.request('GET', `/v1/mail?per_page=50&search=${email}`, { token: admin });
    return (body.data as FiledMail[]).filter(
      ({ to, subject, state }) =>
        to === email && state !== 'dropped' && subject.startsWith('Confirm') === (kind === 'verification'),
    );
  };
  /** By address: what the browser of its owner keeps. */
  const devices = new Map<string, string>();
  return {
    later(minutes: number): void {
      const { app } = world();
      app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    },
    async register() {
      const email = `${randomUUID()}@example.com`;
      const body = { name: 'Ada Byron', email, phone: '07700 900123', password };
      const answer = await world().app.request('POST', '/v1/auth/register/customer', { body });
      expect(answer.status).toBe(201);
      devices.set(email, answer.body.device_token as string);
      return { email, token: answer.body.token as string, id: answer.body.user.id as string };
    },
    /** In the browser in which the account was opened. */
    logIn(email: string, tried = password, headers: Record<string, string> = {}) {
      const device = devices.get(email);
      return world().app.request('POST', '/v1/auth/login', {
        body: { email, password: tried },
        headers: { ...(device !== undefined && { 'x-known-device': device }), ...headers },
      });
    },
    userOf: (token: string) => world().app.request('GET', '/v1/auth/user', { token }),
    mailTo,
    /** Waits until there are so many; returns the text of the newest. */
    async waitForMail(email: string, count = 1, kind: MailKind = 'other'): Promise<string> {
      // A link is written only when its mail is sent.
      const states = async () => (await mailTo(email, kind)).map(({ state }) => state);
      await expect.poll(states).toEqual(Array.from({ length: count }, () => 'filed'));
      const [newest] = await mailTo(email, kind);
      // The office does not show the links of people who have an account.
      const filed = await readFiledMail(world().app.services.config, newest?.id ?? '');
      return filed?.text ?? '';
    },
    /**
     * Waits until a mail to this address is in a file, whether or not the database still knows whose it is; returns its
     * text.
     */
    async waitForFile(email: string): Promise<string> {
      const { config } = world().app.services;
      const find = async () => {
        const mails = await Promise.all((await listFiledMailIds(config)).map((id) => readFiledMail(config, id)));
        return mails.find((mail) => mail?.to === email)?.text;
      };
      await expect.poll(find).toBeDefined();
      return (await find()) ?? '';
    },
  };
}
