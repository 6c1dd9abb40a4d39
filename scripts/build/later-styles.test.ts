import * as fc from 'fast-check';
import postcss from 'postcss';
import { describe, expect, test } from 'vitest';
import { withoutRepeats } from './later-styles.ts';

/** Utilities in Tailwind's order: the longhands that each sets, and how it is written. */
const pool = [
  { sets: 'w h', css: '.sr-only{width:1px;height:1px}' },
  { sets: 'ml mr', css: '.mx-2{margin-inline:2px}' },
  { sets: 'ml', css: '.-ml-1{margin-left:-1px}' },
  { sets: 'show', css: '.flex{display:flex}' },
  { sets: 'show', css: '.hidden{display:none}' },
  { sets: 'w h', css: '.size-4{width:4px;height:4px}' },
  { sets: 'h', css: '.h-2{height:2px}' },
  { sets: 'w', css: '.w-2{width:2px}' },
  { sets: 'pt pr pb pl', css: '.p-3{padding:3px}' },
  { sets: 'pt pr pb pl', css: '.p-4{padding:4px}' },
  { sets: 'pl pr', css: '.px-4{padding-inline:4px}' },
  { sets: 'pt pb', css: '.py-3{padding-block:3px}' },
  { sets: 'pt', css: '.pt-5{padding-top:5px}' },
  { sets: 'size lead', css: '.text-sm{font-size:1px;line-height:2px}' },
  { sets: 'lead', css: '.leading-tight{line-height:1px}' },
  { sets: 'bg', css: '.hover\\:bg-ink:hover{background-color:#000}' },
  { sets: 'show', css: '@media (width>=36rem){.sm\\:flex{display:flex}}' },
  { sets: 'pt pr pb pl', css: '@media (width>=36rem){.sm\\:p-2{padding:2px}}' },
  { sets: 'show', css: '@media (width>=64rem){.lg\\:hidden{display:none}}' },
] as const;
type Utility = (typeof pool)[number];

const sheet = (utilities: readonly Utility[]) => `@layer utilities{${utilities.map(({ css }) => css).join('')}}`;
const written = (css: string, layer: string) => {
  const found: string[] = [];
  postcss.parse(css).walkAtRules('layer', ({ params, nodes = [] }) => {
    if (params === layer) for (const node of nodes) found.push(node.toString());
  });
  return found;
};

describe('the later styles', () => {
  test('do not say again what the first view’s have said', () => {
    const [flex, small] = [pool[3], pool[13]];
    expect(withoutRepeats(sheet([flex]), sheet([flex, small]))).toBe(sheet([small]));
  });

  test('bring what has to lose to the first view’s in a layer that does', () => {
    const [box, sides] = [pool[8], pool[10]];
    expect(written(withoutRepeats(sheet([sides]), sheet([box, sides])), 'utilities.early')).toEqual([box.css]);
  });

  test('say again what another has to lose to that wins over others of them', () => {
    const [box, block, top] = [pool[9], pool[11], pool[12]];
    expect(withoutRepeats(sheet([box, top]), sheet([box, block, top]))).toBe(sheet([block, top]));
  });

  test('leave out what is said under the same condition, and the condition with it', () => {
    const [wide, hidden] = [pool[16], pool[4]];
    const found = withoutRepeats(sheet([wide]), sheet([hidden, wide]));
    expect(found).not.toContain('@media');
    expect(written(found, 'utilities.early')).toEqual([hidden.css]);
  });

  test('refuse what is important, since that turns layers round', () => {
    expect(() => withoutRepeats('', '@layer utilities{.p-0\\!{padding:0!important}}')).toThrow('.p-0\\!');
  });

  test('change nothing about which of two wins, whichever utilities the sheets have', () => {
    fc.assert(
      fc.property(fc.subarray([...pool]), fc.func(fc.boolean()), (all, isFirst) => {
        const first = all.filter((each) => isFirst(each));
        const later = withoutRepeats(sheet(first), sheet(all));
        const [early, again] = [written(later, 'utilities.early'), written(later, 'utilities')];
        const strengthOf = (utility: Utility) => {
          if (again.includes(utility.css)) return 2;
          if (early.includes(utility.css)) return 0;
          expect(first).toContain(utility);
          return 1;
        };
        const isMeant = (weak: Utility, strong: Utility) =>
          weak.sets !== strong.sets || /[@:]/.test(strong.css.replace(/\{.*/, ''));
        const doMeet = (weak: Utility, strong: Utility) =>
          weak.sets.split(' ').some((one) => strong.sets.split(' ').includes(one));
        const lost = all.flatMap((weak, at) =>
          all
            .slice(at + 1)
            .filter((strong) => isMeant(weak, strong) && doMeet(weak, strong))
            .filter((strong) => strengthOf(strong) < strengthOf(weak))
            .map((strong) => `${weak.css} wins over ${strong.css}`),
        );
        expect(lost).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
