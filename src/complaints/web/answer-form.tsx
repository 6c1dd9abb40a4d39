import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';

interface AnswerFormProps {
  id: string;
  label: string;
  hint: string;
  action: string;
  minRows: number;
  className: string | undefined;
  buttonsClassName: string | undefined;
  /** Sends the answer. Returns false if it was not sent; the draft then stays. */
  onSend: (answer: string) => Promise<boolean>;
  /** Further buttons. */
  children?: ReactNode;
}

/** The answer to a complaint. The tab stores it until it is sent, so that a reload or a lost connection keeps it. */
export function AnswerForm(props: AnswerFormProps) {
  const draftKey = `complaint answer ${props.id}`;
  const [answer, setAnswer] = useState(() => sessionStorage.getItem(draftKey) ?? '');
  const [isBusy, setBusy] = useState(false);
  const write = (text: string) => {
    setAnswer(text);
    sessionStorage.setItem(draftKey, text);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || answer.trim() === '') return;
    setBusy(true);
    if (await props.onSend(answer)) sessionStorage.removeItem(draftKey);
    setBusy(false);
  };
  return (
    <form className={props.className} onSubmit={(event) => void send(event)}>
      <Textarea
        label={props.label}
        description={props.hint}
        autosize
        minRows={props.minRows}
        maxLength={4000}
        value={answer}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <div className={props.buttonsClassName}>
        <Button type="submit" loading={isBusy} disabled={answer.trim() === ''}>
          {props.action}
        </Button>
        {props.children}
      </div>
    </form>
  );
}
