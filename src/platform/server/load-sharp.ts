import type sharp from 'sharp';

/** Loads the image library on first use, because it takes 20 MB that many starts never need. */
export async function loadSharp(): Promise<typeof sharp> {
  return (await import('sharp')).default;
}
