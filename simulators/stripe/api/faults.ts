import { type ErrorBody, invalid, serverError, StripeFailure, tooManyRequests } from './failure.ts';

/**
 * What goes wrong with a request. `after` means that the work is done all the same, and its answer kept for repeats.
 */
export type FaultKind =
  /** 429, before the work. */
  | 'rate_limit'
  /** 429 `lock_timeout`, before the work. */
  | 'lock_timeout'
  /** 500, before the work: nothing is kept. */
  | 'error_before'
  /** 500, after the work; the 500 is what repeats of the key get. */
  | 'error_after'
  /** No answer at all, and no work. */
  | 'timeout_before'
  /** No answer, after the work. */
  | 'timeout_after'
  /** The connection breaks, before the work. */
  | 'reset_before'
  /** The connection breaks, after the work. */
  | 'reset_after'
  /** The work is done at once, the answer comes late; repeats of the key are 409 until then. */
  | 'slow_answer'
  /** Work and answer come late; repeats of the key are 409 until then. */
  | 'slow_work'
  /** 503, before the work. */
  | 'unavailable'
  /** The `refusal`, before the work, as another provider or an account may refuse what Stripe takes. */
  | 'refused';

export interface Fault {
  kind: FaultKind;
  /** GET, POST or DELETE; any if left out. */
  method?: string;
  /** A path in which `*` is any one part, such as an id. Any path if left out. */
  path?: string;
  /** How many requests it meets; 1 if left out. */
  times?: number;
  /** How many matching requests pass first. */
  skip?: number;
  /** Of slow ones: how long, in real milliseconds. */
  milliseconds?: number;
  /** Of `refused`: what is answered, with 400 unless it has another status. */
  refusal?: Partial<ErrorBody> & { message: string; status?: number };
  /** Of `rate_limit`: seconds. */
  retryAfter?: number;
}

export interface RandomFaults {
  seed: number;
  /** From 0 to 1. */
  probability: number;
  kinds: readonly FaultKind[];
  milliseconds?: number;
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** Every request is answered 503 while it is down. */
  setDown(isDown: boolean): void;
  /** Faults by chance, the same for the same seed and the same requests; null ends them. */
  setRandom(random: RandomFaults | null): void;
  /** The fault that meets a request, which is then used up. */
  take(method: string, path: string): Fault | undefined;
}

export function createFaults(): Faults {
  let planned: Fault[] = [];
  let isDown = false;
  let random: (RandomFaults & { next: () => number }) | null = null;
  return {
    add(fault) {
      planned.push({ ...fault });
    },
    clear() {
      planned = [];
      isDown = false;
      random = null;
    },
    setDown(down) {
      isDown = down;
    },
    setRandom(given) {
      random = given && { ...given, next: randomNumbers(given.seed) };
    },
    take(method, path) {
      if (isDown) return { kind: 'unavailable' };
      for (const fault of planned) {
        if (!meets(fault, method, path)) continue;
        if ((fault.skip ?? 0) > 0) {
          fault.skip = (fault.skip ?? 0) - 1;
          continue;
        }
        fault.times = (fault.times ?? 1) - 1;
        if (fault.times <= 0) planned = planned.filter((other) => other !== fault);
        return fault;
      }
      return random ? drawn(random) : undefined;
    },
  };
}

/** Throws what a request is answered whose fault comes before the work. */
export function refuseBefore(fault: Fault | undefined): void {
  switch (fault?.kind) {
    case 'rate_limit':
      throw tooManyRequests(fault.retryAfter ?? 1);
    case 'lock_timeout':
      throw new StripeFailure(429, {
        type: 'invalid_request_error',
        code: 'lock_timeout',
        message:
          'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request.',
      });
    case 'error_before':
      throw serverError(500);
    case 'unavailable':
      throw serverError(503);
    case 'refused': {
      const { message, ...more } = fault.refusal ?? { message: 'Refused.' };
      throw invalid(message, more);
    }
    default:
  }
}

function drawn(random: RandomFaults & { next: () => number }): Fault | undefined {
  const isHit = random.next() < random.probability;
  const kind = random.kinds[Math.floor(random.next() * random.kinds.length)];
  if (!isHit || !kind) return undefined;
  return { kind, ...(random.milliseconds !== undefined && { milliseconds: random.milliseconds }) };
}

function meets(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  return fault.path === undefined || matchesPath(fault.path, path);
}

/** Whether a path is one that a pattern stands for, in which `*` is any one part. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const given = path.split('/');
  return parts.length === given.length && parts.every((part, at) => part === '*' || part === given[at]);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
