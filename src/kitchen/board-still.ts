import { type BoardStage, boardStages } from '#kitchen/board-columns.ts';
import { type BoardLayout, heldLayout, lanes, laneShares, type LaneShares, sameLayout } from '#kitchen/board-layout.ts';

/** Milliseconds for which the tickets of a lane stay in place after a tap in it, and after one of them has gone. */
const still = 3000;
/** A lane that is tapped all the time moves after this long nevertheless. */
const longest = 10_000;

interface Hold {
  since: number;
  until: number;
  /** The tickets that are shown and no longer belong here. */
  gone: readonly string[];
}

/** The shown layout, and the holds that keep it. Times in milliseconds, of one clock. */
export interface StillBoard {
  layout: BoardLayout;
  shares: LaneShares;
  holds: Partial<Record<BoardStage, Hold>>;
  /** Since when a finger is on the board. */
  pressedAt: number | null;
}

export function startBoard(wanted: BoardLayout): StillBoard {
  return { layout: wanted, shares: laneShares(wanted), holds: {}, pressedAt: null };
}

/** A finger on the board: nothing moves under it. */
export function press(board: StillBoard, now: number): StillBoard {
  return { ...board, pressedAt: now };
}

/** The finger has left; it had touched these lanes. */
export function lift(board: StillBoard, touched: readonly BoardStage[], now: number): StillBoard {
  const holds = { ...board.holds };
  for (const stage of touched) {
    const { since = now, gone = [] } = holds[stage] ?? {};
    holds[stage] = { since, until: endOf(since, now), gone };
  }
  // Another finger may have come since.
  const pressedAt = board.pressedAt !== null && board.pressedAt > now ? board.pressedAt : null;
  return { ...board, holds, pressedAt };
}

/** Holds nothing any more: nobody sees the lanes that were held. */
export function letGo(board: StillBoard): StillBoard {
  const holds = { ...board.holds };
  for (const stage of boardStages) if (holds[stage]) holds[stage] = { ...holds[stage], until: -Infinity };
  return { ...board, holds, pressedAt: null };
}

/**
 * The board at `now`; `wanted` is the layout that the orders ask for. A ticket that leaves a lane, whoever moved its
 * order, stays in its place for a while: the next one would move under the hand that reaches for it. The same object if
 * nothing changes.
 */
export function settle(board: StillBoard, wanted: BoardLayout, now: number): StillBoard {
  const isPressed = isDown(board, now);
  const holds: StillBoard['holds'] = {};
  for (const stage of boardStages) {
    const hold = board.holds[stage];
    const gone = leaving(board.layout[stage], wanted[stage]);
    const isNews = gone.some((id) => !hold?.gone.includes(id));
    if (hold && now >= hold.until && !isPressed) continue;
    if (hold) holds[stage] = isNews ? { ...hold, gone, until: Math.max(hold.until, endOf(hold.since, now)) } : hold;
    else if (isNews) holds[stage] = { since: now, until: now + still, gone };
  }
  const held = isPressed ? boardStages : boardStages.filter((stage) => holds[stage]);
  const layout = heldLayout(board.layout, wanted, held);
  const shares = lanes.some((lane) => held.includes(lane)) ? board.shares : laneShares(layout);
  const isSame =
    sameLayout(board.layout, layout) &&
    boardStages.every((stage) => board.holds[stage] === holds[stage]) &&
    lanes.every((lane) => board.shares[lane] === shares[lane]);
  return isSame ? board : { ...board, layout, shares, holds };
}

export function isStill(board: StillBoard, stage: BoardStage, now: number): boolean {
  return isDown(board, now) || board.holds[stage] !== undefined;
}

/** When the next lane may move; null if none is held. */
export function movesAt(board: StillBoard, now: number): number | null {
  if (board.pressedAt !== null && isDown(board, now)) return board.pressedAt + longest;
  const ends = Object.values(board.holds).map(({ until }) => until);
  return ends.length > 0 ? Math.min(...ends) : null;
}

function isDown({ pressedAt }: StillBoard, now: number): boolean {
  return pressedAt !== null && now < pressedAt + longest;
}

function endOf(since: number, now: number): number {
  return Math.min(now + still, since + longest);
}

function leaving(shown: readonly string[], wanted: readonly string[]): string[] {
  const stays = new Set(wanted);
  return shown.filter((id) => !stays.has(id));
}
