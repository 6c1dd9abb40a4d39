/** The customers' app, and the kitchen's. */
export const appPlatforms = ['android', 'android-kitchen'] as const;
export type AppPlatform = (typeof appPlatforms)[number];

export function isAppPlatform(text: string): text is AppPlatform {
  return appPlatforms.some((platform) => platform === text);
}

/** By the file's own name (`hatch.app` in its manifest). */
export function platformOf(app: string | null): AppPlatform | null {
  if (app === 'customer') return 'android';
  return app === 'kitchen' ? 'android-kitchen' : null;
}
