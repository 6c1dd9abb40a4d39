import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { m } from '#messages';
import { PermissionPicture } from '#ui/web/permission-picture.tsx';
import { nativeShell, type UpdateState } from '#platform/web/native/native-shell.ts';

/** The app's update: it is loaded beside the page, and installed when the person says so. */
export function UpdateBand() {
  const update = useUpdate();
  const [isLater, setLater] = useState(false);
  const place = document.getElementById('notices');
  if (!update || !place || isLater) return null;
  const words = wordsOf(update);
  if (!words) return null;
  return createPortal(
    <section
      role="status"
      data-update={update.phase}
      className="mx-4 mt-2 grid max-w-md gap-2 sm:mx-auto rounded-box bg-ink p-4 text-paper"
    >
      <p className="font-semibold">{words}</p>
      {update.phase === 'downloading' && <progress className="w-full accent-accent" max={100} value={update.percent} />}
      {update.phase === 'ready' && update.needs_permission && <PermissionSteps />}
      <div className="flex flex-wrap gap-x-4">
        <Actions update={update} />
        {['offered', 'ready', 'failed'].includes(update.phase) && (
          <Button onClick={() => setLater(true)}>{m.platform_update_later()}</Button>
        )}
      </div>
    </section>,
    place,
  );
}

function Actions({ update }: { update: UpdateState }) {
  const shell = nativeShell();
  if (update.phase === 'offered')
    return <Button onClick={() => shell.update('download')}>{m.platform_update_download()}</Button>;
  if (update.phase === 'ready')
    return <Button onClick={() => shell.update('install')}>{m.platform_update_install()}</Button>;
  if (update.phase === 'failed') return <Button onClick={() => shell.update('download')}>{m.platform_retry()}</Button>;
  return null;
}

function Button({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="min-h-11 font-bold underline underline-offset-4" onClick={onClick}>
      {children}
    </button>
  );
}

/** Android's own page, drawn: where the switch is that lets the app install its updates. */
function PermissionSteps() {
  return (
    <figure className="grid gap-2">
      <figcaption>{m.platform_update_permission()}</figcaption>
      <PermissionPicture />
    </figure>
  );
}

function wordsOf(update: UpdateState): string | null {
  const version = update.version ?? '';
  const megabytes = Math.max(1, Math.round((update.size ?? 0) / 1_000_000));
  switch (update.phase) {
    case 'offered':
      return m.platform_update_offered({ version, megabytes });
    case 'downloading':
      return m.platform_update_downloading({ percent: update.percent });
    case 'ready':
      return m.platform_update_ready({ version });
    case 'installing':
      return m.platform_update_installing();
    case 'failed':
      return update.version === undefined ? null : failedWords(update.problem);
    default:
      return null;
  }
}

function failedWords(problem: string): string {
  if (problem.startsWith('refused')) return m.platform_update_refused();
  return problem === 'install' ? m.platform_update_not_installed() : m.platform_update_broken();
}

function useUpdate(): UpdateState | null {
  const [update, setUpdate] = useState<UpdateState | null>(null);
  useEffect(() => {
    const shell = nativeShell();
    const read = () => setUpdate(shell.state()?.update ?? null);
    read();
    return shell.onChange(read);
  }, []);
  return update;
}
