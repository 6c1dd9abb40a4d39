import type { PrinterRow } from '#printing/server/printer-views.ts';

type Polling = Pick<PrinterRow, 'id' | 'poll_seconds'>;

/** How often printers poll: as they say, or as they were heard to, if that is less often. Some never say it, or say it wrong. */
export interface PollIntervals {
  /** Seconds, after the printer said it. */
  said(printer: Polling, seconds: number): number;
  /**
   * Seconds, after it polled; null: not known yet. `isIdle`: it got no job and has none, so that its next poll comes after its
   * usual time.
   */
  polled(printer: Polling, at: Date, isIdle: boolean): number | null;
}

/** Seconds between two polls: less is a repeated question, and after more it was away. */
const [shortest, longest] = [1, 600];

export function createPollIntervals(): PollIntervals {
  const known = new Map<string, Heard>();
  const heardOf = ({ id, poll_seconds: measured }: Polling): Heard => {
    const heard = known.get(id) ?? { idleAt: null, gaps: [], said: 0, measured };
    known.set(id, heard);
    return heard;
  };
  return {
    said(printer, seconds) {
      const heard = heardOf(printer);
      heard.said = seconds;
      heard.measured ??= seconds;
      return Math.max(heard.said, heard.measured);
    },
    polled(printer, at, isIdle) {
      const heard = heardOf(printer);
      const gap = heard.idleAt === null ? 0 : (at.getTime() - heard.idleAt) / 1000;
      heard.idleAt = isIdle ? at.getTime() : null;
      if (gap >= shortest && gap <= longest) {
        heard.gaps = [...heard.gaps, gap].slice(-3);
        heard.measured = measure(heard);
      }
      return heard.measured && Math.max(heard.said, heard.measured);
    },
  };
}

interface Heard {
  /** When it polled last, if it was idle then; epoch ms. */
  idleAt: number | null;
  /** Seconds between its last polls, the newest last. */
  gaps: readonly number[];
  said: number;
  measured: number | null;
}

/** One long gap is a poll that was lost, and some short ones are in a hurry: it takes two to count as slower, three as faster. */
function measure({ gaps, measured }: Heard): number {
  const [newest = 0] = gaps.slice(-1);
  if (measured === null) return Math.round(newest);
  const least = gaps.length < 2 ? 0 : Math.min(...gaps.slice(-2));
  if (least > measured * 1.25) return Math.round(least);
  const most = Math.max(...gaps);
  return gaps.length === 3 && most < measured / 1.5 ? Math.max(1, Math.round(most)) : measured;
}
