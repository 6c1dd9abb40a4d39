import postcss, { type AtRule, type Container, type Rule } from 'postcss';

/** Declares the layer that loses to all that stands in the one around it: at the end of the first view's styles. */
export const earlyLayer = '@layer utilities{@layer early}';

interface Utility {
  rule: Rule;
  /** What it says and under which conditions: the same in both sheets for the same utility. */
  text: string;
  /** The names of what it sets, in order. */
  properties: string[];
  meant: string[];
  /** Without a state or a condition. */
  isPlain: boolean;
  /** Said by the first view's styles too. */
  isShared: boolean;
}

/** Where a rule takes effect, the weakest first. */
const strength = { early: 0, first: 1, later: 2 };

/**
 * The later styles without the utilities that the first view's have said. A sheet that says them again makes a browser
 * compute every element that stands anew, although nothing changes. Both sheets are Tailwind's, in Tailwind's order.
 *
 * Which of two utilities wins stays as in that order: one that the later sheet brings, and that has to lose to some of
 * the first view's, goes to the `early` layer; where it has to win over others of them as well, those that it loses to
 * are said again. Of two plain utilities for the very same properties none is meant to win, and they are left alone.
 */
export function withoutRepeats(first: string, later: string): string {
  const said = new Set(utilitiesOf(postcss.parse(first)).map(({ text }) => text));
  const sheet = postcss.parse(later);
  const utilities = utilitiesOf(sheet).map((each) => ({ ...each, isShared: said.has(each.text) }));
  const rivals = utilities.map((one) => utilities.flatMap((other, at) => (areRivals(one, other) ? [at] : [])));
  const places = placesOf(utilities, rivals);

  const early: (Rule | AtRule)[] = [];
  utilities.forEach(({ rule }, at) => {
    const place = places[at];
    if (place === 'later') return;
    if (place === 'early') early.push(withConditions(rule));
    const around = rule.parent;
    rule.remove();
    removeEmpty(around);
  });
  if (early.length > 0) {
    const layer = postcss.atRule({ name: 'layer', params: 'utilities.early' });
    layer.append(...early);
    sheet.append(layer);
  }
  return sheet.toString();
}

function placesOf(utilities: readonly Utility[], rivals: readonly number[][]): (keyof typeof strength)[] {
  const repeated = new Set<number>();
  for (;;) {
    const before = repeated.size;
    const places: (keyof typeof strength)[] = [];
    utilities.forEach(({ isShared }, at) => {
      const losesTo = (rivals[at] ?? []).filter((other) => other > at && utilities[other]?.isShared);
      const losesToFirst = losesTo.filter((other) => !repeated.has(other));
      if (isShared) {
        places.push(repeated.has(at) ? 'later' : 'first');
        // Said again it would win over what comes after it, if that were not said again too.
        if (repeated.has(at)) for (const other of losesToFirst) repeated.add(other);
        return;
      }
      const winsOver = (rivals[at] ?? []).filter((other) => other < at && places[other] !== 'early');
      if (losesToFirst.length > 0 && winsOver.length > 0) for (const other of losesToFirst) repeated.add(other);
      places.push(losesToFirst.length > 0 && winsOver.length === 0 ? 'early' : 'later');
    });
    if (repeated.size > before) continue;
    rivals.forEach((others, at) => {
      for (const other of others) {
        const [weak, strong] = [places[Math.min(at, other)] ?? 'later', places[Math.max(at, other)] ?? 'first'];
        if (strength[weak] > strength[strong])
          throw new Error(`The order of the styles is lost at ${utilities[at]?.text}`);
      }
    });
    return places;
  }
}

function utilitiesOf(sheet: Container): Omit<Utility, 'isShared'>[] {
  const found: Omit<Utility, 'isShared'>[] = [];
  sheet.walkAtRules('layer', (layer) => {
    if (layer.params !== 'utilities') return;
    layer.walkRules((rule) => {
      const conditions = conditionsOf(rule);
      const properties: string[] = [];
      rule.walkDecls(({ prop, important }) => {
        // Importance turns the order of layers round.
        if (important) throw new Error(`A utility is not to be important: ${rule.selector}`);
        properties.push(prop);
      });
      const isPlain = conditions.length === 0 && /^\.(?:[\w-]|\\.)+$/.test(rule.selector);
      const text = [...conditions.map(({ name, params }) => `@${name} ${params}`), rule.toString()].join(' ');
      found.push({ rule, text, properties: properties.sort(), meant: properties.flatMap(meantBy), isPlain });
    });
  });
  return found;
}

function conditionsOf(rule: Rule): AtRule[] {
  const conditions: AtRule[] = [];
  for (let around = rule.parent; around?.type === 'atrule'; around = around.parent) {
    const condition = around as AtRule;
    if (condition.name === 'layer') break;
    conditions.unshift(condition);
  }
  return conditions;
}

/** Whether it matters which of two comes last on an element that has both. */
function areRivals(one: Utility, other: Utility): boolean {
  if (one === other) return false;
  if (one.isPlain && other.isPlain && one.properties.join() === other.properties.join()) return false;
  return one.meant.some((a) => other.meant.some((b) => a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`)));
}

const sides: Record<string, string[]> = { inline: ['left', 'right'], block: ['top', 'bottom'] };

/** Under which names two properties can be seen to meet: `padding-inline` is `padding-left` and `padding-right`. */
function meantBy(property: string): string[] {
  const [, box = 'inset', side] =
    /^(?:(padding|margin|scroll-margin|inset)-)?(inline|block|top|right|bottom|left)$/.exec(property) ?? [];
  if (side) return (sides[side] ?? [side]).map((each) => `${box}-${each}`);
  return [
    property
      .replace(/^border(?:-(?:inline|block|top|right|bottom|left|start|end))+/, 'border')
      .replace(/^(?:row|column)-gap$/, 'gap')
      .replace(/^(?:place|align|justify)-/, 'place-'),
  ];
}

function withConditions(rule: Rule): Rule | AtRule {
  return conditionsOf(rule).reduceRight<Rule | AtRule>(
    (inner, { name, params }) => postcss.atRule({ name, params, nodes: [inner] }),
    rule.clone(),
  );
}

function removeEmpty(node: Rule['parent']): void {
  if (node?.type !== 'atrule' || (node as AtRule).nodes?.length !== 0) return;
  const around = (node as AtRule).parent;
  (node as AtRule).remove();
  removeEmpty(around as Rule['parent']);
}
