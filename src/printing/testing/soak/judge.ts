/** One job: a kitchen copy of an order that has no other. */
export interface SoakJob {
  /** As the paper has it, e.g. `#12`. */
  number: string;
  /** How its lines of the ledger ended, the last printer's last. */
  lines: { status: string; isEnded: boolean }[];
}

export interface SoakPaper {
  text: string;
  isWhole: boolean;
}

export interface Verdict {
  /** Without a whole paper, although the ledger says that there is one, or that nothing is left to do. */
  lost: string[];
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
  const verdict: Verdict = { lost: [], unmarkedTwice: [], open: [], marked: 0 };
  for (const { number, lines } of jobs) {
    const own = byNumber.get(number) ?? [];
    const unmarked = own.filter(({ text }) => !text.includes(mark));
    verdict.marked += own.length - unmarked.length;
    if (lines.some(({ isEnded }) => !isEnded)) verdict.open.push(number);
    else if (!own.some(({ isWhole }) => isWhole)) verdict.lost.push(number);
    if (unmarked.length > 1) verdict.unmarkedTwice.push(number);
  }
  return verdict;
}
