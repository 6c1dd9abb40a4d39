import { Button, Loader } from '@mantine/core';
import { useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#menu/web/import/import.module.css';
import { Icon } from '#ui/web/office/icon.tsx';

interface ChooseProps {
  isBusy: boolean;
  refusal: string | null;
  onFile: (file: File) => void;
}

const accepted = '.csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A place to drop a spreadsheet on, and a button to choose one instead. */
export function ChooseFile({ isBusy, refusal, onFile }: ChooseProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <section
      aria-label={m.menu_import_title()}
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file && !isBusy) onFile(file);
      }}
    >
      <h2>{m.menu_import_title()}</h2>
      <p>{m.menu_import_words()}</p>
      {refusal && (
        <p role="alert" className={classes.refusal}>
          <Icon name="warning" /> {refusal}
        </p>
      )}
      {isBusy ? (
        <output className={classes.reading}>
          <Loader aria-hidden="true" size="sm" /> {m.menu_import_reading()}
        </output>
      ) : (
        <Button size="lg" onClick={() => input.current?.click()}>
          {m.menu_import_choose()}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={m.menu_import_choose()}
        accept={accepted}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </section>
  );
}
