import { useEffect, useMemo } from 'react';
import { dismissNotice, type Notice, noticeTimeout } from '#ui/web/notify.ts';

interface NoticeTime {
  /** Starts the time from its beginning. */
  run: () => void;
  hold: () => void;
}

/** The time of a notice, after which it is dismissed. */
export function timeOf({ id, stays }: Pick<Notice, 'id' | 'stays'>): NoticeTime {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = (): void => clearTimeout(timer);
  return {
    hold,
    run() {
      hold();
      if (!stays) timer = setTimeout(() => dismissNotice(id), noticeTimeout);
    },
  };
}

/** Lets a notice's time pass while its card is shown: give it these, so that pointing at it or focusing it holds it. */
export function useNoticeTime(notice: Notice) {
  const { run, hold } = useMemo(() => timeOf(notice), [notice]);
  useEffect(() => {
    run();
    return hold;
  }, [run, hold]);
  return { onMouseEnter: hold, onMouseLeave: run, onFocus: hold, onBlur: run };
}
