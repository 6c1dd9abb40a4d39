import { execFileSync } from 'node:child_process';
import { findKey } from '../build/package-apps.ts';
import { readParameters } from '../build/parameters.ts';
import type { Tally } from './tally.ts';

/** A shop whose every parameter is another, in a debug build on this machine. */
export const otherShop = {
  version: '3.11.2',
  shopName: "Zoë's Fish & Żółw <3",
  address: 'http://127.0.0.1:3000',
  customerPackage: 'com.example.zoe.shop',
  language: 'pl' as const,
  accent: '#0a5c36',
  paper: '#ffffff',
  isDebug: true,
};

const run = (...args: string[]) => execFileSync('aapt', args, { encoding: 'utf8', maxBuffer: 1 << 27 });

export function checkOtherShop(tally: Tally, apk: string): void {
  const badging = run('dump', 'badging', apk);
  tally.check(
    "another shop's package and version",
    badging.startsWith("package: name='com.example.zoe.shop' versionCode='3011002' versionName='3.11.2'"),
    badging.slice(0, 120),
  );
  tally.check(
    "another shop's name",
    badging.includes(`application-label:'${otherShop.shopName}'`),
    badging.match(/application-label:.*/)?.[0],
  );
  const words = run('dump', '--values', 'resources', apk);
  tally.check("the app's own words are in the language of its pages", words.includes('"Zaktualizuj aplikację"'));
  tally.check(
    "and in no other, whatever the phone's is",
    !words.includes('"Update the app"') && !/config pl/.test(words),
  );
  tally.check('a debug build says so', badging.includes('application-debuggable'));
  const manifest = run('dump', 'xmltree', apk, 'AndroidManifest.xml');
  tally.check(
    "another shop's address and scheme",
    manifest.includes('"http://127.0.0.1:3000"') && manifest.includes('scheme(0x01010027)="com.example.zoe.shop"'),
  );
  const network = run('dump', 'xmltree', apk, 'res/xml/network.xml');
  const hosts = [...network.matchAll(/C: "([^"]+)"/g)].map(([, host]) => host);
  tally.equal('only this machine is spoken to without encryption, in a debug build', hosts, ['localhost', '127.0.0.1']);
  tally.check(
    "another shop's colour",
    /color\/accent[^\n]*\n[^\n]*#ff0a5c36/.test(run('dump', '--values', 'resources', apk)),
  );
}

/** What is no parameter is refused before anything is built, with the name of each. */
export async function checkParameters(tally: Tally): Promise<void> {
  const bad = {
    ANDROID_VERSION: '3.10',
    ANDROID_SHOP_NAME: 'a\nb',
    ANDROID_ADDRESS: 'http://shop.example.com',
    ANDROID_LANGUAGE: 'de',
    ANDROID_PACKAGE: 'shop',
    ANDROID_ACCENT: 'red',
    ANDROID_ICON: 'icon.exe',
  };
  const said = refusal(bad);
  for (const variable of Object.keys(bad)) tally.check(`${variable} is refused`, said.includes(variable), said);
  for (const [version, reason] of [
    ['1.0.0', '3.10.18 or later'],
    ['3.10.17', '3.10.18 or later'],
    ['2100.0.0', '2099999999'],
    ['3.1000.0', 'does not fit'],
  ] as const) {
    const refused = refusal({ ANDROID_VERSION: version });
    tally.check(
      `version ${version} is refused`,
      refused.includes('ANDROID_VERSION') && refused.includes(reason),
      refused,
    );
  }
  for (const version of ['3.10.18', '4.0.0', '2099.999.999'])
    tally.equal(`version ${version} can be built`, refusal({ ANDROID_VERSION: version }), '');
  tally.equal('a name with an apostrophe and signs', refusal({ ANDROID_SHOP_NAME: otherShop.shopName }), '');
  tally.check('http to this machine needs a debug build', refusal({ ANDROID_ADDRESS: 'http://localhost:3000' }) !== '');
  tally.equal('which allows it', refusal({ ANDROID_ADDRESS: 'http://localhost:3000', ANDROID_DEBUG: '1' }), '');
  tally.check('the two packages differ', refusal({ ANDROID_PACKAGE: 'app.hatch.kitchen' }) !== '');
  const kept = { ...process.env };
  Object.assign(process.env, { ANDROID_KEYSTORE: '/nowhere.p12' });
  const missing = await findKey().then(
    () => '',
    (error: unknown) => String(error),
  );
  tally.check('a release key needs its password and its name', missing.includes('ANDROID_KEYSTORE_PASSWORD'), missing);
  process.env = kept;
}

function refusal(environment: Record<string, string>): string {
  try {
    readParameters(environment);
    return '';
  } catch (error) {
    return String(error);
  }
}
