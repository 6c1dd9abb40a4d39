import type { NativeShell } from '#platform/web/native/native-shell.ts';
import type { Printer } from '#printing/printer.ts';
import { createEscPosDialogue, nameAnswerLength, newJobName } from '#printing/protocols/escpos-dialogue.ts';
import { bytesFrom, toBase64 } from '#printing/web/lan/base64.ts';
import type { Heard } from '#printing/web/lan/lan-answer.ts';

// An Epson printer at the port where it takes commands as they are, from a page in the app.

type Print = NonNullable<NativeShell['print']>;

export async function askCommands(print: Print, printer: Printer): Promise<Heard> {
  const dialogue = createEscPosDialogue();
  const { questions } = dialogue;
  const outcome = await print({ ...placeOf(printer), content: joined(...questions), reply: questions.length });
  const said = bytesFrom(outcome.said);
  if (outcome.status !== 'sent' || said.length < questions.length) return { unreached: 'unreached' };
  for (const index of questions.keys()) {
    dialogue.asks(index);
    dialogue.hear(said.subarray(index, index + 1));
  }
  return { answer: { outcome: { kind: 'printed' }, condition: dialogue.condition } };
}

/** Sends the commands of Epson's document, with the fence behind them. */
export async function sendCommands(print: Print, printer: Printer, document: string): Promise<Heard> {
  const [, hex] = /<command>([0-9a-f]*)<\/command>/i.exec(document) ?? [];
  if (hex === undefined) return { unreached: 'not_understood', isUnsent: true };
  const commands = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const dialogue = createEscPosDialogue(newJobName());
  const { status, detail, said } = await print({
    ...placeOf(printer),
    content: joined(commands, dialogue.fence),
    reply: nameAnswerLength,
  });
  const words = detail !== '' && { detail };
  if (status !== 'sent') return { unreached: 'unreached', ...words, ...(status === 'failed' && { isUnsent: true }) };
  dialogue.begin();
  dialogue.written();
  dialogue.hear(bytesFrom(said));
  const { condition, isPrinted } = dialogue;
  const fault = condition.fault ?? 'unanswered';
  return { answer: { outcome: isPrinted ? { kind: 'printed' } : { kind: 'unknown', fault }, condition } };
}

function placeOf({ address }: Printer): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`);
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port) };
}

function joined(...parts: readonly Uint8Array[]): string {
  return toBase64(Uint8Array.from(parts.flatMap((part) => [...part])));
}
