import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/icon.tsx';
import { type Notice, said } from '#ui/web/notify.ts';

/** How long a notice stays, unless it is pointed at or focused. */
const noticeTimeout = 5000;
/** Counts what may change which notice shows where. */
let changes = 0;
let ofPage: Element | null = null;
const places: Element[] = [];
const listeners = new Set<() => void>();

/**
 * A place where notices appear: one on the page, one in each dialog, and one in each part that says what became of it.
 * They stand among what is there and push it aside: over a form they would hide what is filled in next.
 */
export function Notices({ look = '', isOfPage = false }: { look?: string; isOfPage?: boolean }) {
  const [place, setPlace] = useState<Element | null>(null);
  useSyncExternalStore(
    subscribe,
    () => changes,
    () => 0,
  );
  useEffect(() => {
    if (!place) return undefined;
    said.onChange = tell;
    for (const event of acts) addEventListener(event, findNearest, true);
    places.push(place);
    if (isOfPage) ofPage = place;
    tell();
    return () => {
      places.splice(places.indexOf(place), 1);
      tell();
    };
  }, [place, isOfPage]);
  const shown = place ? said.notices.filter((notice) => placeOf(notice) === place) : [];
  return (
    <div
      ref={setPlace}
      role="status"
      aria-live="polite"
      className={`grid justify-items-center gap-2 empty:absolute empty:p-0 ${look}`}
    >
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

const acts = ['pointerdown', 'keydown', 'submit'] as const;

/** The innermost of the places that stand around what was pressed. */
function findNearest({ target }: Event): void {
  const around = places.filter(({ parentElement }) => target instanceof Node && parentElement?.contains(target));
  said.nearest = around.find((place) => around.every((other) => other.parentElement?.contains(place))) ?? null;
}

/** What is behind an open dialog cannot be reached; and a place may be gone with what was done. */
function placeOf({ place }: Notice): Element | null {
  const inDialog = places.findLast((each) => each.closest('dialog'));
  return inDialog ?? places.find((each) => each === place) ?? ofPage;
}

function tell(): void {
  changes += 1;
  for (const listener of listeners) listener();
}

function NoticeCard({ notice }: { notice: Notice }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = () => {
    said.notices = said.notices.filter((other) => other.id !== notice.id);
    said.onChange();
  };
  const hold = () => clearTimeout(timer.current);
  const start = () => {
    hold();
    timer.current = setTimeout(close, noticeTimeout);
  };
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' });
    start();
    return hold;
    // oxlint-disable-next-line react/exhaustive-deps -- the notice of an id never changes
  }, []);
  const { text, action } = notice;
  return (
    <div
      ref={card}
      className="flex w-full max-w-md scroll-m-4 flex-wrap items-center justify-end gap-x-3 rounded-box bg-ink py-2 pr-2 pl-4 text-paper"
      onMouseEnter={hold}
      onMouseLeave={start}
      onFocus={hold}
      onBlur={start}
    >
      <p className="flex-[1_1_5rem] py-1.5">{text}</p>
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
        <Icon name="close" />
      </button>
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
