import { createRandom, type Random } from '#demo/pictures/random.ts';

/** One picture while it is drawn: its random numbers, and its markup's definitions (gradients, repeated pieces). */
export type Sketch = {
  random: Random;
  /** Registers what `build` draws under an id and returns the id; equal drawings are stored once. */
  define: (build: (id: string) => string) => string;
  definitions: () => string;
};

export type Point = { x: number; y: number };

export function createSketch(seed: string): Sketch {
  const known = new Map<string, string>();
  const markup: string[] = [];
  return {
    random: createRandom(seed),
    define: (build) => {
      const content = build('');
      const kept = known.get(content);
      if (kept !== undefined) return kept;
      const id = shortId(known.size);
      known.set(content, id);
      markup.push(build(id));
      return id;
    },
    definitions: () => markup.join(''),
  };
}

/** At most one decimal: finer differences cannot be seen and cost bytes. */
export function round(value: number): string {
  const text = String(Math.round(value * 10) / 10);
  return text.replace(/^(-?)0\./, '$1.');
}

export function place(x: number, y: number, rotate = 0, scale = 1): string {
  const turn = Math.round(rotate) === 0 ? '' : `rotate(${Math.round(rotate)})`;
  const size = Math.abs(scale - 1) < 0.05 ? '' : `scale(${round(scale)})`;
  return `transform="translate(${Math.round(x)} ${Math.round(y)})${turn}${size}"`;
}

export function group(content: string, attributes: string): string {
  return content === '' ? '' : `<g ${attributes}>${content}</g>`;
}

function shortId(index: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const letter = letters[index % 26] ?? 'z';
  return index < 26 ? letter : letter + Math.floor(index / 26);
}
