/** One job: a kitchen receipt of an order that has no other. */
export interface SoakJob {
  /** As the paper has it, e.g. `#12`. */
  number: string;
  /** Its lines of the ledger, the last printer's last. */
  lines: SoakLine[];
  /** The board shows it to staff, with the question whether somebody has read it. */
  isShown: boolean;
}

export interface SoakLine {
  status: string;
  isEnded: boolean;
  /** The rest of the line in words: the printer, what was wrong, and when it went from one status to the next. */
  words: string;
}

export interface SoakPaper {
  text: string;
  isWhole: boolean;
  at: Date;
  /** The printer's name. */
  printer: string;
}

export interface Verdict {
  /** Without a whole paper, and no board says so, or the ledger says that it was printed. */
  lost: string[];
  /** Without a whole paper: the ledger ended with that, and the board shows it to staff. */
  shown: string[];
  /** More than one paper without a mark, counting those that were cut off. */
  unmarkedTwice: string[];
  /** The ledger has not come to an end. */
  open: string[];
  marked: number;
}

const mark = 'POSSIBLE DUPLICATE';

/** How a line ends of which staff are told on the board that it is not on paper, or may not be. */
const told: ReadonlySet<string | undefined> = new Set(['failed', 'unknown', 'expired']);

/** Compares what came out of all printers with the jobs. */
export function judge(jobs: readonly SoakJob[], papers: readonly SoakPaper[]): Verdict {
  const byNumber = papersByNumber(papers);
  const verdict: Verdict = { lost: [], shown: [], unmarkedTwice: [], open: [], marked: 0 };
  for (const { number, lines, isShown } of jobs) {
    const own = byNumber.get(number) ?? [];
    const unmarked = own.filter((paper) => !isMarked(paper));
    verdict.marked += own.length - unmarked.length;
    if (lines.some(({ isEnded }) => !isEnded)) verdict.open.push(number);
    else if (!own.some(({ isWhole }) => isWhole)) {
      (isShown && told.has(lines.at(-1)?.status) ? verdict.shown : verdict.lost).push(number);
    }
    if (unmarked.length > 1) verdict.unmarkedTwice.push(number);
  }
  return verdict;
}

/** What the ledger, the board and the papers say of these jobs, a line of text each. */
export function accountOf(
  numbers: readonly string[],
  jobs: readonly SoakJob[],
  papers: readonly SoakPaper[],
): string[] {
  const byNumber = papersByNumber(papers);
  const wanted = new Set(numbers);
  return jobs
    .filter(({ number }) => wanted.has(number))
    .flatMap(({ number, lines, isShown }) => [
      `${number}, ${isShown ? 'shown' : 'not shown'} on the board`,
      ...lines.map(({ status, isEnded, words }) => `  ledger  ${status}${isEnded ? '' : ' (open)'} ${words}`),
      ...(byNumber.get(number) ?? []).map(
        (paper) =>
          `  paper   ${[paper.isWhole ? 'whole' : 'cut off', ...(isMarked(paper) ? ['marked'] : [])].join(', ')}` +
          ` ${paper.printer} ${paper.at.toISOString()}`,
      ),
    ]);
}

function isMarked({ text }: SoakPaper): boolean {
  return text.includes(mark);
}

function papersByNumber(papers: readonly SoakPaper[]): Map<string, SoakPaper[]> {
  const byNumber = new Map<string, SoakPaper[]>();
  for (const paper of papers) {
    const number = /#\d+/.exec(paper.text)?.[0] ?? '';
    byNumber.set(number, [...(byNumber.get(number) ?? []), paper]);
  }
  return byNumber;
}
