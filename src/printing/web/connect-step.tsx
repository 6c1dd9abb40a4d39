import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import classes from '#printing/web/printers.module.css';
import { secrets, tellRefusal, usePrinterCalls } from '#printing/web/use-printers.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { Step } from '#ui/web/office/step.tsx';

const guides = {
  star_cloudprnt: [m.printing_office_guide_star_1, m.printing_office_guide_star_2, m.printing_office_guide_star_3],
  epson_sdp: [m.printing_office_guide_epson_1, m.printing_office_guide_epson_2, m.printing_office_guide_epson_3],
} as const;

/** What is typed into a printer that asks the shop itself, and where. */
export function ConnectStep({ printer }: { printer: Printer }) {
  const { id, name, kind, status, poll_url: url, username, store_id: storeId } = printer;
  const known = useSyncExternalStore(secrets.subscribe, secrets.read, secrets.read);
  const secret = known.get(id);
  const { rotate } = usePrinterCalls(storeId);
  const isHeard = status.last_seen_at !== null;
  const ask = async (): Promise<void> => {
    const isSure =
      !isHeard ||
      (await confirm({
        title: m.printing_office_new_secret_title({ name }),
        body: m.printing_office_new_secret_means(),
        action: m.printing_office_new_secret(),
        isDangerous: true,
      }));
    if (isSure) rotate.mutate(id, { onError: tellRefusal });
  };
  const guide = kind === 'epson_sdp' ? guides.epson_sdp : guides.star_cloudprnt;
  return (
    <Step
      state={isHeard ? 'done' : 'todo'}
      title={m.printing_office_step_connect()}
      text={
        secret === undefined ? m.printing_office_step_connect_secret_gone() : m.printing_office_step_connect_polls()
      }
      below={
        (secret !== undefined || !isHeard) && (
          <>
            <ol className={classes.guide}>
              {guide.map((words) => (
                <li key={words()}>{words()}</li>
              ))}
            </ol>
            <CopyField label={m.printing_office_poll_url()} value={url ?? ''} />
            <CopyField
              label={kind === 'epson_sdp' ? m.printing_office_epson_id() : m.printing_office_username()}
              value={username ?? ''}
            />
            {secret !== undefined && <CopyField label={m.printing_office_secret()} value={secret} />}
          </>
        )
      }
    >
      {secret === undefined && (
        <Button variant="default" loading={rotate.isPending} onClick={() => void ask()}>
          {m.printing_office_new_secret()}
        </Button>
      )}
    </Step>
  );
}

/** Says as soon as it is so that the printer has called. */
export function HeardStep({ printer }: { printer: Printer }) {
  const { last_seen_at: heardAt, fault } = printer.status;
  const isLost = fault === 'offline';
  const state = heardAt === null ? 'wait' : isLost ? 'bad' : 'done';
  const words = {
    wait: m.printing_office_step_heard_wait,
    bad: m.printing_office_step_heard_lost,
    done: m.printing_office_step_heard_done,
  };
  return (
    <Step
      state={state}
      title={m.printing_office_step_heard()}
      text={<span aria-live="polite">{words[state]()}</span>}
    />
  );
}
