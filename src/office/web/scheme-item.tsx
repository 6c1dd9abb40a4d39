import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';

export function SchemeItem() {
  const isDark = useComputedColorScheme('light') === 'dark';
  const { setColorScheme } = useMantineColorScheme();
  return (
    <Menu.Item
      leftSection={<Icon name={isDark ? 'sun' : 'moon'} />}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? m.office_light() : m.office_dark()}
    </Menu.Item>
  );
}
