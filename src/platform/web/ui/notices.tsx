import { useEffect, useRef, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { FirstIcon } from '#platform/web/ui/first-icon.tsx';

interface Notice {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

/** How long a notice stays, unless it is pointed at or focused. */
const noticeTimeout = 5000;
const none: readonly Notice[] = [];
let notices = none;
let lastId = 0;
/** The places on the page, the last opened at the end: what is behind an open dialog cannot be reached. */
const places: object[] = [];
const listeners = new Set<() => void>();

/** Says something in passing, to eyes and ears. */
export function notify(text: string, action?: Notice['action']): void {
  lastId += 1;
  show([...notices.slice(-2), { id: lastId, text, ...(action && { action }) }]);
}

/** The place where notices appear: one on a page, and one in each dialog, which has them while it is open. */
export function Notices() {
  const place = useRef<HTMLDivElement>(null);
  const shown = useSyncExternalStore(
    subscribe,
    () => (places.at(-1) === place ? notices : none),
    () => none,
  );
  useEffect(() => {
    places.push(place);
    show(notices);
    return () => {
      places.splice(places.indexOf(place), 1);
      show(notices);
    };
  }, []);
  return (
    <div
      ref={place}
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-24 z-50 mb-(--banner) grid justify-items-center gap-2 px-4 lg:bottom-6"
    >
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = () => show(notices.filter((other) => other.id !== notice.id));
  const hold = () => clearTimeout(timer.current);
  const start = () => {
    hold();
    timer.current = setTimeout(close, noticeTimeout);
  };
  useEffect(() => {
    start();
    return hold;
    // oxlint-disable-next-line react/exhaustive-deps -- the notice of an id never changes
  }, []);
  const { text, action } = notice;
  return (
    <div
      className="pointer-events-auto flex max-w-md items-center gap-3 rounded-box bg-ink py-2 pr-2 pl-4 text-paper shadow-float"
      onMouseEnter={hold}
      onMouseLeave={start}
      onFocus={hold}
      onBlur={start}
    >
      <p className="py-1.5">{text}</p>
      {action && (
        <button
          type="button"
          className="min-h-11 rounded-chip px-2 font-bold underline underline-offset-4"
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="grid size-11 place-items-center rounded-chip"
        aria-label={m.platform_dismiss()}
        onClick={close}
      >
        <FirstIcon name="close" />
      </button>
    </div>
  );
}

function show(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
