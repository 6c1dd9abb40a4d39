import { m } from '#messages';

interface Place<Part> {
  latitude: Part;
  longitude: Part;
}

const limits: Place<number> = { latitude: 90, longitude: 180 };

/**
 * The coordinates in a link of Google Maps (`@51.5,-0.12`, `q=51.5,-0.12`) or OpenStreetMap (`mlat=51.5&mlon=-0.12`).
 */
const placeInLink = /:\/\/.*?[@=/](-?\d{1,2}\.\d+)(?:,|%2C|\/|&mlon=)(-?\d{1,3}\.\d+)/i;
const pairOfNumbers = /^\s*(\S+?)\s*[,;\s]\s*(\S+)\s*$/;

/**
 * Parses typed coordinates in degrees. If one field has a pair, such as `51.5, -0.12`, or a map's link, both fields are
 * filled from it.
 */
export function parseCoordinates(typed: Place<string>): {
  texts: Place<string>;
  point: Place<number> | null;
  faults: Partial<Place<string>>;
} {
  const pair = [typed.latitude, typed.longitude]
    .map((text) => placeInLink.exec(text) ?? pairOfNumbers.exec(text))
    .find(Boolean);
  const texts = pair ? { latitude: pair[1] ?? '', longitude: pair[2] ?? '' } : typed;
  const latitude = degrees(texts.latitude, limits.latitude);
  const longitude = degrees(texts.longitude, limits.longitude);
  return {
    texts,
    point: latitude === null || longitude === null ? null : { latitude, longitude },
    faults: {
      ...(latitude === null && { latitude: m.office_setup_pin_latitude_wrong() }),
      ...(longitude === null && { longitude: m.office_setup_pin_longitude_wrong() }),
    },
  };
}

/** Parses degrees, rounded to a tenth of a metre; null: not a number between -`most` and `most`. */
function degrees(text: string, most: number): number | null {
  const plain = text.trim().replace('−', '-').replace(/°$/, '');
  if (!/^[+-]?\d{1,3}(\.\d+)?$/.test(plain)) return null;
  const value = Math.round(Number(plain) * 1_000_000) / 1_000_000;
  return Math.abs(value) <= most ? value : null;
}
