import { drawBasket, drawBoard, drawBox, drawPaper, drawPeel, drawTray } from '#demo/pictures/boards.ts';
import type { VesselSpec } from '#demo/pictures/dish-recipe.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';
import { drawBowl, drawKarahi, drawPlate, drawSkillet, type Vessel } from '#demo/pictures/vessels.ts';

export function layVessel(sketch: Sketch, vessel: VesselSpec | undefined): Vessel {
  if (vessel === undefined) return { under: '', over: '', room: { rx: 100, ry: 100 } };
  switch (vessel[0]) {
    case 'plate':
      return drawPlate(sketch, vessel[1], vessel[2]);
    case 'bowl':
      return drawBowl(sketch, vessel[1], vessel[2]);
    case 'karahi':
      return drawKarahi(sketch, vessel[1], vessel[2]);
    case 'skillet':
      return drawSkillet(sketch);
    case 'peel':
      return drawPeel(sketch, vessel[1], vessel[2]);
    case 'board':
      return drawBoard(sketch, vessel[1]);
    case 'paper':
      return drawPaper(sketch, vessel[1]);
    case 'basket':
      return drawBasket(sketch, vessel[1]);
    case 'tray':
      return drawTray(sketch, vessel[1]);
    case 'box':
      return drawBox(sketch);
  }
}
