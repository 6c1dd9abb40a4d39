import { useState } from 'react';
import type { MailHead } from '#mail/contract.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { api } from '#platform/web/api.ts';

/** Where the test stands once the mail server has answered, or after ten seconds. */
export type TestResult = { kind: 'tried'; mail: MailHead } | { kind: 'failed'; words: string };

const pause = 500;
const looks = 20;

/** Sends a mail with invented data to the person who is signed in, and waits for what becomes of it. */
export function useTestMail() {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<TestResult | null>(null);
  const send = async (example: { kind: Parameters<typeof sendTest>[0]['kind']; locale: 'en' | 'pl' }) => {
    setBusy(true);
    setResult(null);
    try {
      setResult({ kind: 'tried', mail: await sendTest(example) });
    } catch (error) {
      setResult({ kind: 'failed', words: refusalWords(error) });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, result, send };
}

type Body = Parameters<typeof api<'POST /v1/mail-tests'>>[1];

async function sendTest(body: Body): Promise<MailHead> {
  let { data: mail } = await api('POST /v1/mail-tests', body);
  for (let look = 0; mail.state === 'queued' && look < looks; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    mail = (await api('GET /v1/mail/{id}', { id: mail.id })).data;
  }
  return mail;
}
