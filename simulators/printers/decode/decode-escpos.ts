import { Bytes, Press, type Sheet } from './sheet.ts';
import { type Maker, numbers, type Table } from './tables.ts';

const anyByte = Array.from({ length: 256 }, (_, byte) => byte);
const onOff = [0, 1, 48, 49];

/**
 * What an ESC/POS printer makes of these bytes, after Epson's command reference. A command, a parameter or a control
 * character that is not known here is an error.
 */
export function decodeEscPos(
  bytes: Uint8Array,
  dots: number,
  maker: Exclude<Maker, 'star'> = 'epson',
  isForgiving = false,
): Sheet {
  const reader = new Bytes(bytes);
  const press = new Press(dots, isForgiving);
  const tables: Record<number, Table> = numbers[maker];
  while (!reader.isAtEnd) {
    const byte = reader.next();
    if (byte === 0x0a) press.lineFeed();
    else if (byte === 0x1b) escape(reader, press, tables);
    else if (byte === 0x1d) group(reader, press);
    else if (byte === 0x1c) field(reader, press);
    else if (byte < 0x20 || byte === 0x7f) throw new Error(`The control character ${byte} at ${reader.at - 1}.`);
    else press.letter(byte);
  }
  return press.sheet;
}

function escape(reader: Bytes, press: Press, tables: Record<number, Table>): void {
  const name = String.fromCharCode(reader.next());
  press.count(`ESC ${name}`);
  switch (name) {
    case '@':
      press.look = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };
      press.table = null;
      press.spacing = 30;
      press.x = 0;
      return;
    case 'R':
      reader.oneOf('ESC R', [0]);
      return;
    case 'M':
      reader.oneOf('ESC M', [0, 48]);
      return;
    case ' ':
      reader.oneOf('ESC SP', [0]);
      return;
    case 'a':
      reader.oneOf('ESC a', [0, 1, 2, 48, 49, 50]);
      return;
    case '{':
      reader.oneOf('ESC {', [0]);
      return;
    case '2':
      press.spacing = 30;
      return;
    case '3':
      press.spacing = reader.oneOf('ESC 3', anyByte);
      return;
    case '$':
      press.x = reader.word();
      return;
    case '\\':
      press.x += reader.word();
      return;
    case 'E':
      press.look = { ...press.look, bold: reader.oneOf('ESC E', onOff) % 2 === 1 };
      return;
    case '-':
      press.look = { ...press.look, underlined: reader.oneOf('ESC -', [0, 1, 2, 48, 49, 50]) % 48 > 0 };
      return;
    case 't':
      press.choose(tables, reader.next());
      return;
    case 'd':
      for (let lines = reader.next(); lines > 0; lines -= 1) press.lineFeed();
      return;
    case 'p':
      reader.oneOf('ESC p', onOff);
      reader.take(2);
      press.openDrawer();
      return;
    case 'B':
      reader.take(2);
      press.sound();
      return;
    case '(':
      reader.oneOf('ESC (', [0x41]);
      reader.take(reader.word());
      press.sound();
      return;
    default:
      throw new Error(`ESC ${name} at ${reader.at - 1} is not known`);
  }
}

function group(reader: Bytes, press: Press): void {
  const name = String.fromCharCode(reader.next());
  press.count(`GS ${name}`);
  switch (name) {
    case '!': {
      const size = reader.next();
      const [across, down] = [(size >> 4) + 1, (size & 15) + 1];
      if (across > 8 || down > 8) throw new Error(`GS ! ${size} is larger than 8`);
      press.look = { ...press.look, across, down };
      return;
    }
    case 'B':
      press.look = { ...press.look, inverted: reader.oneOf('GS B', onOff) % 2 === 1 };
      return;
    case 'L':
    case 'W':
      reader.word();
      return;
    case 'a':
      reader.oneOf('GS a', [0]);
      return;
    case 'r':
      reader.oneOf('GS r', [1, 49]);
      return;
    case 'V':
      if (reader.oneOf('GS V', [0, 1, 48, 49, 65, 66]) >= 65) reader.next();
      press.cut();
      return;
    case 'v': {
      reader.oneOf('GS v', [48]);
      reader.oneOf('GS v 0', [0, 48]);
      const across = reader.word();
      const height = reader.word();
      if (across === 0 || height === 0 || height > 255) throw new Error(`GS v 0 of ${across} by ${height}`);
      press.picture(reader.take(across * height), across, height);
      return;
    }
    default:
      throw new Error(`GS ${name} at ${reader.at - 1} is not known`);
  }
}

function field(reader: Bytes, press: Press): void {
  const name = String.fromCharCode(reader.next());
  press.count(`FS ${name}`);
  // What East Asian letters look like is told as well by encoders that may print them.
  const parameters: Record<string, number> = { '.': 0, C: 1, '-': 1, S: 2 };
  const count = parameters[name];
  if (count === undefined) throw new Error(`FS ${name} at ${reader.at - 1} is not known`);
  reader.take(count);
}
