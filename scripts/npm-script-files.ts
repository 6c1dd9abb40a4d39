/**
 * The files of npm scripts that take a name as argument: `npm run bench -- web` runs `bench/web.ts`. The key `''` has
 * the file for a call without a name. The names of soaks are in `scripts/soak.ts`.
 */
export const scriptFiles = {
  bench: {
    '': 'bench/run.ts',
    web: 'bench/web.ts',
    'order-page': 'bench/order-page.ts',
    'order-effort': 'bench/order-effort.ts',
    writers: 'bench/writers.ts',
    idle: 'bench/idle.ts',
    history: 'bench/history.ts',
    offers: 'bench/offers.ts',
    printing: 'bench/printing.ts',
    memory: 'bench/memory.ts',
  },
  make: {
    'common-passwords': 'scripts/make-common-passwords.ts',
    'mail-look': 'scripts/make-mail-look.ts',
    'stripe-schemas': 'scripts/make-stripe-schemas.ts',
    screenshots: 'scripts/take-screenshots.ts',
    receipts: 'scripts/draw-receipts.ts',
    mails: 'scripts/draw-mails.ts',
  },
  budgets: {
    '': 'scripts/check-bundles.ts',
    install: 'scripts/check-install.ts',
    tests: 'scripts/check-costs.ts',
  },
  supply: {
    audit: 'scripts/audit.ts',
    binaries: 'scripts/binaries.ts',
    signatures: 'scripts/registry-signatures.ts',
  },
  android: {
    '': 'android/build.ts',
    check: 'android/check.ts',
    pins: 'android/build/pin-tools.ts',
  },
} as const;
export type NpmScript = keyof typeof scriptFiles;
