import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defaultLanguage } from '../../src/platform/languages.ts';

/** What an app is built with: `android/app.json`, another file named by ANDROID_PARAMETERS, and single variables. */
export interface Parameters {
  /** `3.10.18`: up with every release; it stands here only. */
  version: string;
  /** The customers' app's name. */
  shopName: string;
  kitchenName: string;
  /** The shop's https address, without a slash at its end. */
  address: string;
  /** The language of the customers' pages. */
  language: 'en' | 'pl';
  customerPackage: string;
  kitchenPackage: string;
  /** Colours as #rrggbb: the icon's ground, and what is behind a page while it opens, by day and by night. */
  accent: string;
  paper: string;
  paperDark: string;
  /** A square SVG or PNG, drawn in white or in colours of its own; what matters stands in its inner two thirds. */
  icon: string;
  /** Debuggable, and allowed to speak to this machine without encryption. */
  isDebug: boolean;
}

const variables = {
  version: 'ANDROID_VERSION',
  shopName: 'ANDROID_SHOP_NAME',
  kitchenName: 'ANDROID_KITCHEN_NAME',
  address: 'ANDROID_ADDRESS',
  language: 'ANDROID_LANGUAGE',
  customerPackage: 'ANDROID_PACKAGE',
  kitchenPackage: 'ANDROID_KITCHEN_PACKAGE',
  accent: 'ANDROID_ACCENT',
  paper: 'ANDROID_PAPER',
  paperDark: 'ANDROID_PAPER_DARK',
  icon: 'ANDROID_ICON',
} as const satisfies Partial<Record<keyof Parameters, string>>;

/** The first version of the app. */
const firstVersion = '3.10.18';
/** Google Play takes no larger one, and Versions.java reads none above. */
const largestCode = 2_099_999_999;

const name = /^(?! )[^\\\p{Cc}]{1,30}(?<! )$/u;
const packageName = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,6}$/;
const color = /^#[0-9a-fA-F]{6}$/;
const forms: Record<keyof typeof variables, RegExp> = {
  version: /^\d{1,4}\.\d{1,3}\.\d{1,3}$/,
  shopName: name,
  kitchenName: name,
  address: /^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/,
  language: /^(en|pl)$/,
  customerPackage: packageName,
  kitchenPackage: packageName,
  accent: color,
  paper: color,
  paperDark: color,
  icon: /\.(svg|png)$/i,
};

/** Throws an error that names every parameter that cannot be used. */
export function readParameters(environment: NodeJS.ProcessEnv): Parameters {
  const file = resolve(environment['ANDROID_PARAMETERS'] ?? 'android/app.json');
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const isDebug = environment['ANDROID_DEBUG'] === '1';
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const [field, variable] of Object.entries(variables) as [keyof typeof variables, string][]) {
    const value = environment[variable] ?? given[field];
    const isLocal = isDebug && field === 'address' && /^http:\/\/(localhost|127\.0\.0\.1):\d+$/.test(String(value));
    const fits = typeof value === 'string' && (forms[field].test(value) || isLocal);
    const versionProblem = fits && field === 'version' ? versionFault(value) : null;
    if (fits && versionProblem === null) values[field] = value;
    else if (versionProblem !== null) faults.push(`  ${field} (${variable}): ${String(value)}: ${versionProblem}`);
    else faults.push(`  ${field} (${variable}): ${JSON.stringify(value)} does not fit ${String(forms[field])}`);
  }
  if (values['customerPackage'] === values['kitchenPackage']) faults.push('  The two packages must differ.');
  if (faults.length > 0) throw new Error(`These parameters cannot be used (${file}):\n${faults.join('\n')}`);
  // Each field was matched above.
  return { ...(values as unknown as Omit<Parameters, 'isDebug'>), isDebug };
}

/** The language of an app's pages: the kitchen's are English, as the office is. */
export function pageLanguage(app: 'customer' | 'kitchen', { language }: Parameters): Parameters['language'] {
  return app === 'customer' ? language : defaultLanguage;
}

/** Why a version of the right form cannot be built; null if it can. */
function versionFault(version: string): string | null {
  const code = versionCode(version);
  if (code < versionCode(firstVersion)) return `phones have ${firstVersion} or later, and install nothing below it`;
  return code > largestCode ? `Android's versionCode ends at ${largestCode}, so 2099.999.999 is the last` : null;
}

/** 3.10.18 is 3010018, as Versions.java reads it. */
export function versionCode(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor * 1000 + patch;
}
