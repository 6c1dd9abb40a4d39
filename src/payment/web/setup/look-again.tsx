import { Button } from '@mantine/core';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { useSetupCalls } from '#payment/web/setup/use-setup.ts';

/** Has the current key set checked now. */
export function LookAgain() {
  const { lookAgain } = useSetupCalls();
  return (
    <Button
      variant="default"
      loading={lookAgain.isPending}
      onClick={() =>
        lookAgain.mutate(undefined, { onError: (error) => notify({ text: refusalWords(error), tone: 'bad' }) })
      }
    >
      {m.payment_setup_look_again()}
    </Button>
  );
}
