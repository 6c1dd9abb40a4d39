import { Button, Group, Progress } from '@mantine/core';
import { type DragEvent, useId, useState } from 'react';
import { m } from '#messages';
import editor from '#menu/web/editor/editor.module.css';
import classes from '#menu/web/editor/part-form.module.css';
import { uploadPicture } from '#uploads/web/upload-picture.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'];
const LARGEST = 8 * 1024 * 1024;

/** A picture to drop here or to choose. It is shown before it is saved, with the progress of its upload. */
export function PictureEdit({
  label,
  value,
  onCommit,
}: {
  label: string;
  value: string | null;
  onCommit: (url: string | null) => void;
}) {
  const id = useId();
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);

  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (!TYPES.includes(file.type)) return setProblem(m.menu_edit_picture_type());
    if (file.size > LARGEST) return setProblem(m.menu_edit_picture_large());
    setProblem(null);
    setProgress(0);
    try {
      onCommit((await uploadPicture(file, setProgress)).url);
    } catch (error) {
      setProblem(refusalWords(error));
    }
    setProgress(null);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <fieldset
      className={classes.picture}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <legend>{label}</legend>
      {value && <img src={value} alt={m.menu_edit_picture_preview()} width={160} height={120} />}
      <div>
        <Group gap="xs">
          <Button component="label" htmlFor={id} variant="default" loading={progress !== null}>
            {value ? m.menu_edit_picture_other() : m.menu_edit_picture_choose()}
          </Button>
          {value && (
            <Button variant="subtle" color="bad" onClick={() => onCommit(null)}>
              {m.menu_edit_picture_remove()}
            </Button>
          )}
        </Group>
        <input
          id={id}
          type="file"
          accept={TYPES.join(',')}
          className="visually-hidden"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        <p className={editor.hint}>{m.menu_edit_picture_hint()}</p>
        {progress !== null && <Progress value={progress * 100} aria-label={m.menu_edit_picture_sending()} />}
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </fieldset>
  );
}
