import type { AppInfo, PhoneState, PrintOutcome, UpdatePhase, UpdateState } from '#platform/web/native/native-shell.ts';

/** A message of the app to the page: every field is checked, and an invalid one is null. */
export type Told =
  | { type: 'state' | 'revoked' | 'no_app' | 'wrong_pin' }
  | { type: 'update'; update: UpdateState }
  | { type: 'navigate'; path: string }
  | { type: 'printed'; job: string; outcome: PrintOutcome };

type Fields = Record<string, unknown>;
const phases: readonly UpdatePhase[] = ['none', 'checking', 'offered', 'downloading', 'ready', 'installing', 'failed'];
const outcomes = ['sent', 'failed', 'unknown'] as const;
const permissions = ['granted', 'denied', 'unasked'] as const;
/** `isOwnPath`: whether the page has this address, and the app may open it. */
export function readTold(type: unknown, data: unknown, isOwnPath: (path: string) => boolean): Told | null {
  const fields = fieldsOf(data);
  switch (type) {
    case 'state':
    case 'revoked':
    case 'no_app':
    case 'wrong_pin':
      return { type };
    case 'update': {
      const update = readUpdate(fields);
      return update && { type, update };
    }
    case 'navigate': {
      const { path } = fields;
      return typeof path === 'string' && isOwnPath(path) ? { type, path } : null;
    }
    case 'printed': {
      const { job, status, detail, said } = fields;
      const known = outcomes.find((each) => each === status);
      if (!known || typeof job !== 'string' || typeof detail !== 'string' || typeof said !== 'string') return null;
      return { type, job, outcome: { status: known, detail: detail.slice(0, 300), said } };
    }
    default:
      return null;
  }
}

export function readApp(data: unknown): AppInfo | null {
  const { platform, version, package: name, shop, is_debug: isDebug, updates_itself: updates } = fieldsOf(data);
  if (typeof platform !== 'string' || !/^android(-[a-z]+)?$/.test(platform)) return null;
  if (typeof version !== 'string' || typeof name !== 'string' || typeof shop !== 'string') return null;
  return { platform, version, package: name, shop, is_debug: isDebug === true, updates_itself: updates === true };
}

export function readState(data: unknown): PhoneState | null {
  const fields = fieldsOf(data);
  const update = readUpdate(fieldsOf(fields['update']));
  const notifications = permissions.find((each) => each === fields['notifications']);
  if (!update || !notifications) return null;
  return {
    battery: numberOf(fields['battery'], 100),
    is_charging: fields['is_charging'] === true,
    is_online: fields['is_online'] === true,
    wifi: numberOf(fields['wifi'], 4),
    notifications,
    ignores_battery: fields['ignores_battery'] === true,
    is_owner: fields['is_owner'] === true,
    is_locked: fields['is_locked'] === true,
    update,
  };
}

function readUpdate(fields: Fields): UpdateState | null {
  const phase = phases.find((each) => each === fields['phase']);
  const percent = numberOf(fields['percent'], 100);
  if (!phase || percent === null) return null;
  const { version, size, notes, problem } = fields;
  return {
    phase,
    percent,
    problem: typeof problem === 'string' ? problem : '',
    needs_permission: fields['needs_permission'] === true,
    ...(typeof version === 'string' && { version }),
    ...(typeof size === 'number' && { size }),
    ...(typeof notes === 'string' && { notes }),
  };
}

function fieldsOf(data: unknown): Fields {
  return typeof data === 'object' && data !== null ? (data as Fields) : {};
}

function numberOf(value: unknown, most: number): number | null {
  return typeof value === 'number' && value >= 0 && value <= most ? value : null;
}
