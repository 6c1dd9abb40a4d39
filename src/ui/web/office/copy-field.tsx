import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';

/** A text to copy. Focus selects it, for browsers without clipboard access. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const clipboard = useClipboard({ timeout: 3000 });
  const words = clipboard.copied ? m.platform_copied() : m.platform_copy();
  return (
    <TextInput
      label={label}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <Tooltip label={words}>
          <ActionIcon variant="subtle" aria-label={`${words}: ${label}`} onClick={() => clipboard.copy(value)}>
            <Icon name={clipboard.copied ? 'check' : 'copy'} />
          </ActionIcon>
        </Tooltip>
      }
      rightSectionWidth={44}
    />
  );
}
