import { Button, Progress } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { m } from '#messages';
import { intlLocale } from '#platform/language.ts';
import { runningExport } from '#reports/web/export.ts';
import { wholeDay } from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';

/** How far the table that is being fetched has come, with a way to stop it. */
export function ExportPanel() {
  const running = useSyncExternalStore(runningExport.subscribe, runningExport.read);
  if (!running) return null;
  const { rows, day, part, cancel } = running;
  const count = rows.toLocaleString(intlLocale());
  return (
    <section aria-label={m.reports_export_running()} className={classes.export}>
      <p>
        <strong>{m.reports_export_running()}</strong>
        <span>{day === null ? m.reports_export_begins() : m.reports_export_so_far({ count, day: wholeDay(day) })}</span>
      </p>
      <Button variant="default" onClick={cancel}>
        {m.reports_export_cancel()}
      </Button>
      <Progress value={part * 100} aria-label={m.reports_export_running()} />
    </section>
  );
}
