/** When a pause ends: `until` as given, or so many minutes from now; null when neither lies ahead. */
export function pauseUntil(
  pause: { minutes?: number | undefined; until?: string | undefined },
  now: Date,
): Date | null {
  if (pause.until !== undefined) {
    const until = new Date(pause.until);
    return until > now ? until : null;
  }
  return pause.minutes === undefined ? null : new Date(now.getTime() + pause.minutes * 60_000);
}
