import type { AttackName, AnswerCounts } from './attackers.ts';

export interface Attack {
  name: AttackName;
  load: string;
  seconds: number;
  /** Explains why the outcomes exceed the attack's limits; null: they are within the limits. */
  judge: (got: AnswerCounts) => string | null;
}

const sum = (got: AnswerCounts, pattern: RegExp) =>
  Object.entries(got).reduce((total, [what, times]) => total + (pattern.test(what) ? times : 0), 0);
const atMost = (most: number, pattern: RegExp, what: string) => (got: AnswerCounts) => {
  const count = sum(got, pattern);
  return count <= most ? null : `${count} ${what}, at most ${most}`;
};
/** Requires a minimum number of outcomes, because an attack whose calls did not reach the shop proves nothing. */
const atLeast = (least: number, pattern: RegExp, what: string) => (got: AnswerCounts) => {
  const count = sum(got, pattern);
  return count >= least ? null : `${count} ${what}, so it was not attacked as it should be`;
};
const no5xx = atMost(0, /^5/, 'answers of 5xx');
const noneTaken = atMost(0, /^2/, 'calls taken');
const answered = (least: number) => atLeast(least, /^[24]/, 'answers');
const refused = (least: number) => atLeast(least, /^4/, 'refusals');
const all =
  (...judges: Attack['judge'][]) =>
  (got: AnswerCounts) =>
    judges.map((judge) => judge(got)).find((why) => why !== null) ?? null;
/** Requires that nearly all of the `opened` connections reached the shop, and that at most `most` of them stay open. */
const kept = (opened: number, most: number) =>
  all(atLeast(opened * 0.9, /^opened$/, 'connections'), no5xx, atMost(most, /^kept$/, 'kept'));

export const attacks: Attack[] = [
  { name: 'lists', load: '32 invented lists a second', seconds: 8, judge: all(no5xx, answered(200)) },
  {
    name: 'pages',
    load: '100 pages of dishes a second that nobody sells',
    seconds: 8,
    judge: all(no5xx, answered(600)),
  },
  {
    name: 'quotes',
    load: '200 baskets priced a second',
    seconds: 8,
    judge: all(no5xx, answered(1_200), refused(400)),
  },
  {
    name: 'problems',
    load: '50 baskets a second of 100 unknown dishes',
    seconds: 8,
    judge: all(no5xx, answered(300)),
  },
  {
    name: 'nested',
    load: '50 bodies a second of 32,000 brackets',
    seconds: 8,
    judge: all(no5xx, noneTaken, refused(300)),
  },
  {
    name: 'orders',
    load: '60 orders a second of one person',
    seconds: 8,
    judge: all(no5xx, atLeast(1, /^201/, 'orders taken'), atMost(5, /^201/, 'orders taken'), refused(300)),
  },
  {
    name: 'cards',
    load: '10 unpaid card orders a second, each of another person',
    seconds: 8,
    judge: all(no5xx, atLeast(1, /^201/, 'orders taken'), atMost(6, /^201/, 'unpaid orders taken'), refused(50)),
  },
  {
    name: 'forged',
    load: '20 orders a second that name other addresses and people',
    seconds: 8,
    judge: all(no5xx, atLeast(1, /^201/, 'orders taken'), atMost(30, /^201/, 'orders taken'), refused(100)),
  },
  { name: 'sockets', load: '1,000 sockets of one address', seconds: 6, judge: kept(1_000, 200) },
  {
    name: 'channels',
    load: '190 sockets with 100 made-up channels each',
    seconds: 6,
    judge: all(kept(190, 190), atLeast(1, /^subscribed/, 'channels'), atMost(2_000, /^subscribed/, 'channels')),
  },
  {
    name: 'heads',
    load: '1,000 heads that do not end',
    seconds: 14,
    judge: all(kept(1_000, 0), refused(900)),
  },
  {
    name: 'bodies',
    load: '500 bodies that come byte by byte',
    seconds: 24,
    judge: all(kept(500, 0), refused(450)),
  },
  {
    name: 'endless',
    load: '100 bodies in chunks without an end',
    seconds: 6,
    judge: all(kept(100, 0), noneTaken),
  },
  {
    name: 'uploads',
    load: '100 pictures of a stranger, 64 KB a second each',
    seconds: 6,
    judge: all(kept(100, 0), noneTaken),
  },
  {
    name: 'readers',
    load: '300 connections that ask for the largest file twice and read nothing',
    seconds: 95,
    judge: kept(300, 0),
  },
  {
    name: 'pipelines',
    load: '300 connections that ask for 20 pages at once',
    seconds: 3,
    judge: kept(300, 0),
  },
  {
    name: 'bombs',
    load: '20 bodies a second that would be 50 MB',
    seconds: 8,
    judge: all(no5xx, noneTaken, refused(100)),
  },
  {
    name: 'hosts',
    load: '200 requests with two hosts',
    seconds: 3,
    judge: all(kept(200, 0), noneTaken, refused(180)),
  },
  {
    name: 'passwords',
    load: '20 guesses a second of one address',
    seconds: 8,
    judge: all(
      no5xx,
      noneTaken,
      atLeast(1, /^422/, 'guesses tried'),
      atMost(12, /^422/, 'guesses tried'),
      refused(100),
    ),
  },
  {
    name: 'bursts',
    load: '180 passwords at once of one address',
    seconds: 8,
    judge: all(
      no5xx,
      noneTaken,
      atLeast(1, /^422/, 'guesses tried'),
      atMost(90, /^422/, 'guesses tried'),
      refused(150),
    ),
  },
  {
    name: 'resets',
    load: '20 reset links a second for the owner',
    seconds: 8,
    judge: all(no5xx, atLeast(1, /^200/, 'links asked for'), atMost(10, /^200/, 'links asked for'), refused(100)),
  },
  {
    name: 'botnet',
    load: '20 guesses a second, each of another address',
    seconds: 15,
    judge: all(
      no5xx,
      noneTaken,
      atLeast(1, /^422/, 'guesses tried'),
      atMost(200, /^422/, 'guesses tried'),
      refused(200),
    ),
  },
];

export const attackTableHead = `| attack | load | order, quiet (p50) | order, under it (p50) | event loop late (p99) | memory | what the attacker got | result |
|---|---|---|---|---|---|---|---|`;

export interface AttackMeasurement {
  attack: Attack;
  /** The median duration of an order without the attack (ms). */
  quiet: number;
  /** The median duration of an order during the attack (ms). */
  under: number;
  /** The event loop's delay during the attack (ms), at the 99th percentile. */
  late: number;
  /** The number of other customers' orders that failed during the attack. */
  lost: number;
  /** The growth of the server's memory (MB). */
  memory: number;
  got: AnswerCounts;
}

/** The largest allowed delay of the event loop (ms). */
const latest = 20;

export function failureReason({ attack, quiet, under, late, lost, got }: AttackMeasurement): string | null {
  if (lost > 0) return `${lost} orders of customers were refused`;
  if (!(under <= 2 * quiet)) return `orders take ${(under / quiet).toFixed(1)} times as long`;
  if (!(late <= latest)) return `the event loop is ${late.toFixed(0)} ms late`;
  return attack.judge(got);
}

export function attackTableRow(measured: AttackMeasurement): string {
  const { attack, quiet, under, late, memory, got } = measured;
  const why = failureReason(measured);
  const cells = [
    attack.name,
    attack.load,
    `${quiet.toFixed(1)} ms`,
    `${under.toFixed(1)} ms`,
    `${late.toFixed(1)} ms`,
    `${memory >= 0 ? '+' : ''}${memory.toFixed(0)} MB`,
    Object.entries(got)
      .map(([name, times]) => `${times} × ${name}`)
      .join(', '),
    why === null ? 'green' : `**red**: ${why}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
