import type sharp from 'sharp';

/** Loads the library that draws pictures when one is drawn: it takes 20 MB, and many starts are followed by none. */
export async function loadSharp(): Promise<typeof sharp> {
  return (await import('sharp')).default;
}
