/** One job: a kitchen receipt of an order that has no other. */
export interface SoakJob {
  /** As the paper has it, e.g. `#12`. */
  number: string;
  /** How its lines of the ledger ended, the last printer's last. */
  lines: { status: string; isEnded: boolean }[];
  /** The board shows it to staff, with the question whether somebody has read it. */
  isShown: boolean;
}

export interface SoakPaper {
  text: string;
  isWhole: boolean;
}

export interface Verdict {
  /** Without a whole paper, and no board says so. */
  lost: string[];
  /** Without a whole paper after three attempts that nobody has confirmed: the ledger says so, and the board shows it. */
  shown: string[];
  /** More than one paper without a mark, counting those that were cut off. */
  unmarkedTwice: string[];
  /** The ledger has not come to an end. */
  open: string[];
  marked: number;
}

const mark = 'POSSIBLE DUPLICATE';

/** Compares what came out of all printers with the jobs. */
export function judge(jobs: readonly SoakJob[], papers: readonly SoakPaper[]): Verdict {
  const byNumber = new Map<string, SoakPaper[]>();
  for (const paper of papers) {
    const number = /#\d+/.exec(paper.text)?.[0] ?? '';
    byNumber.set(number, [...(byNumber.get(number) ?? []), paper]);
  }
  const verdict: Verdict = { lost: [], shown: [], unmarkedTwice: [], open: [], marked: 0 };
  for (const { number, lines, isShown } of jobs) {
    const own = byNumber.get(number) ?? [];
    const unmarked = own.filter(({ text }) => !text.includes(mark));
    verdict.marked += own.length - unmarked.length;
    if (lines.some(({ isEnded }) => !isEnded)) verdict.open.push(number);
    else if (!own.some(({ isWhole }) => isWhole)) {
      (isShown && lines.at(-1)?.status === 'unknown' ? verdict.shown : verdict.lost).push(number);
    }
    if (unmarked.length > 1) verdict.unmarkedTwice.push(number);
  }
  return verdict;
}
