import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core';

/** The names of colours for which the shared style sheet has tokens. */
const tokenColours = new Set(['accent', 'good', 'bad', 'warm']);

const plainVariants = new Set(['default', 'white', 'transparent']);

/**
 * Resolves a component's colour to a background and a readable text colour, both from tokens with light and dark
 * values.
 */
const colours: VariantColorsResolver = (input) => {
  const asked = input.color ?? input.theme.primaryColor;
  // The main buttons are always green, because the shop's accent may be red, which means danger or lateness here.
  const name = asked === 'accent' && input.variant === 'filled' ? 'good' : asked;
  if (!tokenColours.has(name) || plainVariants.has(input.variant)) return defaultVariantColorsResolver(input);
  const plain = name === 'warm' ? 'var(--warn-text)' : `var(--${name}-text)`;
  const soft = name === 'warm' ? 'var(--warn-soft)' : `var(--${name}-soft)`;
  const colour = `var(--${name})`;
  switch (input.variant) {
    case 'filled':
      return {
        background: colour,
        hover: `color-mix(in srgb, ${colour} 88%, var(--ink))`,
        color: `var(--${name}-ink)`,
        border: 'none',
      };
    case 'light':
      return { background: soft, hover: `color-mix(in srgb, ${soft} 85%, var(--ink))`, color: plain, border: 'none' };
    case 'outline':
      return { background: 'transparent', hover: soft, color: plain, border: `1px solid ${plain}` };
    default:
      return { background: 'transparent', hover: soft, color: plain, border: 'none' };
  }
};

const shades = (colour: string) =>
  [colour, colour, colour, colour, colour, colour, colour, colour, colour, colour] as const;

const dialogTitle = { fontFamily: 'var(--font-display)', fontWeight: 700, fontSize: '1.25rem' };

/** Mantine's theme: touch targets of 44 px, and the tokens' shapes and fonts. */
export const mantineTheme = createTheme({
  fontFamily: 'var(--font-text)',
  headings: { fontFamily: 'var(--font-display)' },
  primaryColor: 'accent',
  colors: {
    accent: shades('var(--accent)'),
    good: shades('var(--good)'),
    bad: shades('var(--bad)'),
    warm: shades('var(--warm)'),
  },
  defaultRadius: 'sm',
  radius: { xs: '0.25rem', sm: 'var(--radius-small)', md: 'var(--radius)', lg: 'var(--radius-large)' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  variantColorResolver: colours,
  components: {
    Button: { defaultProps: { size: 'md' }, styles: { root: { minHeight: 'var(--target)' } } },
    ActionIcon: { defaultProps: { size: 44, variant: 'subtle' } },
    CloseButton: { defaultProps: { size: 44 } },
    Menu: {
      // Menus render inside the page's landmarks, where screen readers find them. The library's focus placeholder is
      // left out, because an element with the role `menu` must not contain it.
      defaultProps: { portalProps: { target: '#layer' }, withInitialFocusPlaceholder: false },
      styles: {
        dropdown: { background: 'var(--surface)', borderColor: 'var(--line)', boxShadow: 'var(--shadow-high)' },
        item: { minHeight: 'var(--target)', fontSize: '1rem' },
        label: { fontSize: '0.875rem' },
      },
    },
    // With a larger radius a checkbox would look like a radio button.
    Checkbox: { defaultProps: { radius: 'xs' } },
    Input: { styles: { input: { minHeight: 'var(--target)', background: 'var(--surface)' } } },
    // A dialog's heading must not be a `banner` landmark.
    Modal: {
      defaultProps: { centered: true, attributes: { header: { role: 'presentation' } } },
      styles: { title: dialogTitle },
    },
    Drawer: {
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { title: dialogTitle },
    },
    SegmentedControl: {
      styles: {
        root: { '--sc-color': 'var(--surface)', background: 'var(--sunken)' },
        label: { minHeight: 'var(--target)', display: 'grid', placeItems: 'center', color: 'var(--ink)' },
      },
    },
  },
});

export const mantineVariables: CSSVariablesResolver = () => {
  const scheme = {
    '--mantine-color-gray-1': 'var(--sunken)',
    '--mantine-color-dark-4': 'var(--sunken)',
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-bright': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-placeholder': 'var(--ink-soft)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-error': 'var(--bad-text)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--ink-soft)',
    '--mantine-primary-color-filled': 'var(--good)',
    '--mantine-primary-color-contrast': 'var(--good-ink)',
    '--mantine-primary-color-light': 'var(--accent-soft)',
    '--mantine-primary-color-light-color': 'var(--accent-text)',
  };
  return { variables: {}, light: scheme, dark: scheme };
};
