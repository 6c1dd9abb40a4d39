import { alertMail } from '#alerts/server/alert-owner.ts';
import { answerMail, complaintAlert, receivedMail } from '#complaints/server/complaint-mail.ts';
import type { Db } from '#database/schema.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { m } from '#messages';
import type { Store } from '#store/contract.ts';

/** The mails about a complaint with invented data. */
export function complaintMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'complaint' | 'complaint_received' | 'complaint_answered'> {
  const example = () => ({ reference: 'C-7KQ4M2XW', created_at: now() });
  return {
    complaint: async (db) =>
      alertMail(complaintAlert(config, example(), { shop: await readStore(db), isReminder: false })),
    complaint_received: async (db) => receivedMail(example(), await readStore(db)),
    complaint_answered: async (db) =>
      answerMail({ ...example(), answer: m.complaints_answer_example() }, await readStore(db)),
  };
}
