import type { Paper, Wood } from '#demo/pictures/boards.ts';
import type { Bread } from '#demo/pictures/dishes/bread.ts';
import type { Burger } from '#demo/pictures/dishes/burger.ts';
import type { Carton } from '#demo/pictures/dishes/carton.ts';
import type { Curry } from '#demo/pictures/dishes/curry.ts';
import type { Bottle, Can, Cup, Glass } from '#demo/pictures/dishes/drink.ts';
import type { Pizza } from '#demo/pictures/dishes/pizza.ts';
import type { Rice } from '#demo/pictures/dishes/rice.ts';
import type { Skewer } from '#demo/pictures/dishes/skewer.ts';
import type { Roll, Wrap } from '#demo/pictures/dishes/wrap.ts';
import type { MorselName, Sprinkle } from '#demo/pictures/morsels.ts';
import type { SurfaceName } from '#demo/pictures/surfaces.ts';
import type { Glaze, Metal } from '#demo/pictures/vessels.ts';

/** The content of a picture as data. `key` names the picture and seeds its random numbers. */
export type DishRecipe = {
  key: string;
  surface: SurfaceName;
  parts: readonly Part[];
  /** Herbs, spices or crumbs on the table, away from the middle. */
  strewn?: readonly Sprinkle[];
  napkin?: readonly [light: string, dark: string];
};

/** One vessel with its food. `at` is its offset from the middle of the picture; `turn` is in degrees. */
export type Part = {
  vessel?: VesselSpec;
  layers: readonly Layer[];
  at?: readonly [x: number, y: number];
  scale?: number;
  turn?: number;
};

export type VesselSpec =
  | readonly ['plate' | 'bowl', Glaze, radius?: number]
  | readonly ['karahi', Metal, radius?: number]
  | readonly ['skillet']
  | readonly ['peel', Wood, turn?: number]
  | readonly ['board', Wood]
  | readonly ['paper' | 'basket' | 'tray', Paper]
  | readonly ['box'];

type Spot = readonly [x: number, y: number];
type Room = { at?: Spot; size?: Spot };

/**
 * Food from the bottom up. `size` is half the width and half the height: by default a pool or bed fills its vessel and
 * a heap most of it. Shreds are fine strips of vegetable, beads are sweetcorn, peas and chickpeas.
 */
export type Layer =
  | Pizza
  | Curry
  | Burger
  | Rice
  | Bread
  | Wrap
  | Roll
  | Skewer
  | Can
  | Bottle
  | Glass
  | Cup
  | Carton
  | ({ kind: 'heap' | 'sprinkle'; of: readonly Sprinkle[] } & Room)
  | {
      kind: 'lay';
      pieces: readonly (readonly [morsel: MorselName, x: number, y: number, turn?: number, scale?: number])[];
    }
  | { kind: 'drizzle'; colour: string; reach?: number; lines?: number }
  | { kind: 'pot'; at: Spot; r?: number; glaze?: Glaze; sauce: readonly [light: string, dark: string] }
  | ({ kind: 'shreds'; of: readonly (readonly [colour: string, count: number])[] } & Room)
  | ({ kind: 'beads'; colours: readonly [body: string, shine: string, shade: string]; count: number; r: number } & Room)
  | ({ kind: 'pool' | 'bed'; colours: readonly [light: string, dark: string] } & Room);
