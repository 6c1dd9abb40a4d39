import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { createExternalStore } from '#platform/web/external-store.ts';
import { Icon } from '#ui/web/icon.tsx';
import { setNearestNoticePlace, dismissNotice, type Notice, notices, noticeTimeoutMs } from '#ui/web/notify.ts';

const places = createExternalStore<{ ofPage: Element | null; all: readonly Element[] }>(() => ({
  ofPage: null,
  all: [],
}));
const none: readonly Notice[] = [];

/**
 * A container for notices: one on the page, one in each dialog, and one in each component that reports results. Its
 * notices push the content below them down, because an overlay would cover a form's fields.
 */
export function Notices({ look = '', isOfPage = false }: { look?: string; isOfPage?: boolean }) {
  const [place, setPlace] = useState<Element | null>(null);
  useSyncExternalStore(places.subscribe, places.read, places.read);
  const said = useSyncExternalStore(notices.subscribe, notices.read, () => none);
  useEffect(() => {
    if (!place) return undefined;
    for (const event of acts) addEventListener(event, findNearest, true);
    const { ofPage, all } = places.read();
    places.set({ ofPage: isOfPage ? place : ofPage, all: [...all, place] });
    return () => places.set({ ...places.read(), all: places.read().all.filter((other) => other !== place) });
  }, [place, isOfPage]);
  const shown = place ? said.filter((notice) => placeOf(notice) === place) : none;
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

function findNearest({ target }: Event): void {
  const { all } = places.read();
  const around = all.filter(({ parentElement }) => target instanceof Node && parentElement?.contains(target));
  setNearestNoticePlace(around.find((place) => around.every((other) => other.parentElement?.contains(place))) ?? null);
}

/**
 * Chooses the container for a notice. An open dialog's container comes first, because the page behind the dialog is out
 * of reach. Next comes the container nearest to the action, and last the page's container.
 */
function placeOf({ place }: Notice): Element | null {
  const { ofPage, all } = places.read();
  const inDialog = all.findLast((each) => each.closest('dialog'));
  return inDialog ?? all.find((each) => each === place) ?? ofPage;
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { id, text, action } = notice;
  const close = () => dismissNotice(id);
  const card = useRef<HTMLDivElement>(null);
  // Newer browsers return a promise here, which an effect must not return.
  useEffect(() => void card.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div
      ref={card}
      className="flex w-full max-w-md scroll-m-4 flex-wrap items-center justify-end gap-x-3 rounded-box bg-ink py-2 pr-2 pl-4 text-paper"
      {...useNoticeTime(notice)}
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

interface NoticeTimer {
  run: () => void;
  hold: () => void;
}

export function noticeTimer({ id, stays }: Pick<Notice, 'id' | 'stays'>): NoticeTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = (): void => clearTimeout(timer);
  return {
    hold,
    run() {
      hold();
      if (!stays) timer = setTimeout(() => dismissNotice(id), noticeTimeoutMs);
    },
  };
}

/** Runs a notice's timeout while its card is shown. Hover and focus pause the timeout. */
function useNoticeTime(notice: Notice) {
  const { run, hold } = useMemo(() => noticeTimer(notice), [notice]);
  useEffect(() => {
    run();
    return hold;
  }, [run, hold]);
  return { onMouseEnter: hold, onMouseLeave: run, onFocus: hold, onBlur: run };
}
