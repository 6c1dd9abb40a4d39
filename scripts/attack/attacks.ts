import type { AttackName, Got } from './attackers.ts';

/** One line of the table. */
export interface Attack {
  name: AttackName;
  /** What is done to the shop. */
  load: string;
  seconds: number;
  /** Why the attacker got too much; null when they did not. */
  judge: (got: Got) => string | null;
}

const sum = (got: Got, pattern: RegExp) =>
  Object.entries(got).reduce((total, [what, times]) => total + (pattern.test(what) ? times : 0), 0);
const atMost = (most: number, pattern: RegExp, what: string) => (got: Got) => {
  const count = sum(got, pattern);
  return count <= most ? null : `${count} ${what}, at most ${most}`;
};
const no5xx = atMost(0, /^5/, 'answers of 5xx');
const noneTaken = atMost(0, /^2/, 'calls taken');
const all =
  (...judges: Attack['judge'][]) =>
  (got: Got) =>
    judges.map((judge) => judge(got)).find((why) => why !== null) ?? null;
const kept = (most: number) => (got: Got) => {
  const { kept: count = 0 } = got;
  return count <= most ? null : `${count} kept, at most ${most}`;
};

/** The attacks that were tried on the shop by hand, and their goals. */
export const attacks: Attack[] = [
  { name: 'lists', load: '32 invented lists a second', seconds: 8, judge: no5xx },
  { name: 'pages', load: '100 pages of dishes a second that nobody sells', seconds: 8, judge: no5xx },
  { name: 'quotes', load: '200 baskets priced a second', seconds: 8, judge: no5xx },
  {
    name: 'problems',
    load: '50 baskets a second of 100 unknown dishes',
    seconds: 8,
    judge: no5xx,
  },
  { name: 'nested', load: '50 bodies a second of 32,000 brackets', seconds: 8, judge: all(no5xx, noneTaken) },
  {
    name: 'orders',
    load: '60 orders a second of one person',
    seconds: 8,
    judge: all(no5xx, atMost(5, /^201/, 'orders taken')),
  },
  {
    name: 'cards',
    load: '10 unpaid card orders a second, each of another person',
    seconds: 8,
    judge: all(no5xx, atMost(6, /^201/, 'unpaid orders taken')),
  },
  {
    name: 'forged',
    load: '20 orders a second that name other addresses and people',
    seconds: 8,
    judge: all(no5xx, atMost(30, /^201/, 'orders taken')),
  },
  { name: 'sockets', load: '1,000 sockets of one address', seconds: 6, judge: kept(200) },
  {
    name: 'channels',
    load: '190 sockets with 100 made-up channels each',
    seconds: 6,
    judge: atMost(2_000, /^subscribed/, 'channels'),
  },
  { name: 'heads', load: '1,000 heads that do not end', seconds: 14, judge: kept(0) },
  { name: 'bodies', load: '500 bodies that come byte by byte', seconds: 19, judge: kept(0) },
  { name: 'endless', load: '100 bodies in chunks without an end', seconds: 6, judge: kept(0) },
  { name: 'uploads', load: '100 pictures of a stranger, 64 KB a second each', seconds: 6, judge: kept(0) },
  { name: 'readers', load: '300 connections that ask for 20 pages and read slowly', seconds: 14, judge: () => null },
  { name: 'bombs', load: '20 bodies a second that would be 50 MB', seconds: 8, judge: all(no5xx, noneTaken) },
  { name: 'hosts', load: '200 requests with two hosts', seconds: 3, judge: kept(0) },
  {
    name: 'passwords',
    load: '20 guesses a second of one address',
    seconds: 8,
    judge: all(no5xx, noneTaken, atMost(12, /^422/, 'guesses tried')),
  },
  { name: 'resets', load: '20 reset links a second for the owner', seconds: 8, judge: no5xx },
  {
    name: 'botnet',
    load: '20 guesses a second, each of another address',
    seconds: 15,
    judge: all(no5xx, noneTaken, atMost(200, /^422/, 'guesses tried')),
  },
];
