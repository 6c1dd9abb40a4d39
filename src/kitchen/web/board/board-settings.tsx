import { SegmentedControl } from '@mantine/core';
import '#ui/web/office/mantine-more.ts';
import panels from '#kitchen/web/board/panels.module.css';
import { changeBoardSettings, textSizes, useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';
import { m } from '#messages';

const textWords = {
  small: m.kitchen_settings_text_small,
  medium: m.kitchen_settings_text_medium,
  large: m.kitchen_settings_text_large,
};

export function BoardSettingsPanel() {
  const { text } = useBoardSettings();
  return (
    <div className={panels.stack}>
      <p className={panels.soft}>{m.kitchen_settings_hint()}</p>
      <section>
        <h3 id="board-text-size">{m.kitchen_settings_text()}</h3>
        <SegmentedControl
          aria-labelledby="board-text-size"
          size="md"
          fullWidth
          data={textSizes.map((value) => ({ value, label: textWords[value]() }))}
          value={text}
          onChange={(value) => changeBoardSettings({ text: value })}
        />
      </section>
    </div>
  );
}
