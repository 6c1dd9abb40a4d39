import { accentColors } from '#store/accent.ts';

const isDark = matchMedia('(prefers-color-scheme: dark)');
let applied: string | null = null;

/** The owner's colour, as the server writes it into pages of the web. */
export function applyAccent(color: string | null): void {
  if (color === null || color === applied || !/^#[0-9a-f]{6}$/.test(color)) return;
  applied = color;
  const { light, dark } = accentColors(color);
  const apply = () => {
    for (const [name, value] of Object.entries(isDark.matches ? dark : light)) {
      document.documentElement.style.setProperty(`--${name}`, value);
    }
  };
  apply();
  isDark.addEventListener('change', apply);
}
