import { Button, Group, TextInput } from '@mantine/core';
import { m } from '#messages';
import type { PaymentMode } from '#database/column-types.ts';

interface KeyFormProps {
  value: string;
  mode: PaymentMode;
  error: string | undefined;
  isChecking: boolean;
  isChecked: boolean;
  onChange: (typed: string) => void;
  onSubmit: () => void;
  /** null: there is nothing to go back to. */
  onCancel: (() => void) | null;
}

/** The field for the key. Browsers do not keep what is typed in it. */
export function KeyForm({ value, mode, error, isChecking, isChecked, onChange, onSubmit, onCancel }: KeyFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextInput
        label={m.payment_setup_paste()}
        description={m.payment_setup_paste_hint()}
        placeholder={`rk_${mode}_…`}
        value={value}
        error={error}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap="xs" mt="sm">
        <Button
          type="submit"
          disabled={value.trim() === ''}
          loading={isChecking}
          variant={isChecked ? 'default' : 'filled'}
        >
          {m.payment_setup_check()}
        </Button>
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            {m.platform_cancel()}
          </Button>
        )}
      </Group>
    </form>
  );
}
