import { Bytes, Press, type Sheet } from './sheet.ts';
import { numbers } from './tables.ts';

const digits = [0, 1, 48, 49];

/** What a Star printer in StarPRNT mode makes of these bytes, after its command specifications; as strict as ESC/POS. */
export function decodeStar(bytes: Uint8Array, dots: number, isForgiving = false): Sheet {
  const reader = new Bytes(bytes);
  const press = new Press(dots, isForgiving);
  press.spacing = 32;
  while (!reader.isAtEnd) {
    const byte = reader.next();
    if (byte === 0x0a) press.lineFeed();
    else if (byte === 0x07) {
      press.count('BEL');
      press.openDrawer();
    } else if (byte === 0x12) press.count('DC2');
    else if (byte === 0x1b) escape(reader, press);
    else if (byte < 0x20 || byte === 0x7f) throw new Error(`The control character ${byte} at ${reader.at - 1}.`);
    else press.letter(byte);
  }
  return press.sheet;
}

function escape(reader: Bytes, press: Press): void {
  const byte = reader.next();
  const name = byte === 0x1d ? 'GS' : byte === 0x1e ? 'RS' : String.fromCharCode(byte);
  if (name === 'GS') {
    group(reader, press);
    return;
  }
  press.count(`ESC ${name}`);
  switch (name) {
    case '@':
      press.look = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };
      press.table = null;
      return;
    case 'R':
      reader.oneOf('ESC R', [0, 48]);
      return;
    case 'RS':
      reader.oneOf('ESC RS', [0x46, 0x61]);
      reader.oneOf('ESC RS …', [0, 48]);
      return;
    case 'l':
    case 'Q':
      reader.next();
      return;
    case 's':
      reader.oneOf('ESC s', digits);
      reader.oneOf('ESC s', digits);
      return;
    case ' ':
      reader.oneOf('ESC SP', [0, 48]);
      return;
    case '0':
      press.spacing = 24;
      return;
    case 'E':
    case 'F':
      press.look = { ...press.look, bold: name === 'E' };
      return;
    case '4':
    case '5':
      press.look = { ...press.look, inverted: name === '4' };
      return;
    case '-':
      press.look = { ...press.look, underlined: reader.oneOf('ESC -', digits) % 2 === 1 };
      return;
    case 'i': {
      const sizes = Array.from({ length: 6 }, (_, size) => size);
      const down = reader.oneOf('ESC i', sizes) + 1;
      press.look = { ...press.look, down, across: reader.oneOf('ESC i', sizes) + 1 };
      return;
    }
    case 'a':
      for (let lines = reader.next(); lines > 0; lines -= 1) press.lineFeed();
      return;
    case 'd':
      reader.oneOf('ESC d', [0, 1, 2, 3, 48, 49, 50, 51]);
      press.cut();
      return;
    case 'k': {
      // Line Mode: 24 rows, printed by the line feed that follows.
      const across = reader.word();
      press.picture(reader.take(across * 24), across, 24);
      reader.oneOf('ESC k … LF', [0x0a]);
      return;
    }
    default:
      throw new Error(`ESC ${name} at ${reader.at - 1} is not known`);
  }
}

function group(reader: Bytes, press: Press): void {
  const byte = reader.next();
  const name = byte === 0x19 ? 'EM' : String.fromCharCode(byte);
  press.count(`ESC GS ${name}`);
  switch (name) {
    case 'a':
      reader.oneOf('ESC GS a', [0, 1, 2, 48, 49, 50]);
      return;
    case 'A':
      press.x = reader.word();
      return;
    case 'R':
      press.x += reader.word();
      return;
    case '\u0003':
      reader.take(3);
      return;
    case 't':
      press.choose(numbers.star, reader.next());
      return;
    case 'S': {
      reader.oneOf('ESC GS S', [1]);
      const across = reader.word();
      const height = reader.word();
      reader.oneOf('ESC GS S … n', [0]);
      press.picture(reader.take(across * height), across, height);
      return;
    }
    case 'EM':
      if (reader.oneOf('ESC GS EM', [0x11, 0x12]) === 0x12) press.sound();
      reader.take(3);
      return;
    default:
      throw new Error(`ESC GS ${name} at ${reader.at - 1} is not known`);
  }
}

/** What a Star printer in raster mode makes of these bytes. */
export function decodeStarRaster(bytes: Uint8Array, dots: number): Sheet {
  const reader = new Bytes(bytes);
  const press = new Press(dots);
  let isRaster = false;
  const formFeed = { cuts: true };
  while (!reader.isAtEnd) {
    const byte = reader.next();
    if (byte === 0x62 && isRaster) {
      const across = reader.word();
      press.picture(reader.take(across), across, 1);
    } else if (byte === 0x07 && !isRaster) press.openDrawer();
    else if (byte !== 0x1b) throw new Error(`The byte ${byte} at ${reader.at - 1} is not known`);
    else isRaster = rasterCommand(reader, press, formFeed, isRaster);
  }
  if (isRaster) throw new Error('The raster mode was not left.');
  return press.sheet;
}

function rasterCommand(reader: Bytes, press: Press, formFeed: { cuts: boolean }, isRaster: boolean): boolean {
  if (reader.oneOf('ESC', [0x2a, 0x0c]) === 0x0c) {
    reader.oneOf('ESC FF', [0]);
    if (formFeed.cuts) press.cut();
    return isRaster;
  }
  reader.oneOf('ESC *', [0x72]);
  const name = String.fromCharCode(reader.next());
  press.count(`ESC * r ${name}`);
  if (name === 'A' || name === 'B') return name === 'A';
  let number = '';
  for (let byte = reader.next(); byte !== 0; byte = reader.next()) number += String.fromCharCode(byte);
  if (!/^\d{1,4}$/.test(number)) throw new Error(`ESC * r ${name} "${number}" is no number`);
  if (name === 'F') formFeed.cuts = ['8', '9', '12', '13'].includes(number);
  else if (name === 'E' ? number !== '1' : name !== 'P') throw new Error(`ESC * r ${name} ${number} is not known`);
  return isRaster;
}
