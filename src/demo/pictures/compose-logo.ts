/**
 * The demo shop's mark, a finch with a fire in it: an SVG document of 64 by 64 units in one colour, clear at 24 px.
 * `colour` is any CSS colour.
 */
export function composeLogo(colour = '#b92f16'): string {
  const bird =
    'M61 24L52.5 19C50.5 11 43 6.5 36 8.5 30 10 26.5 14.5 25 20.5 21 16 20 10.5 21.5 3.5 14 8.5 11 15.5 12.5 23.5 9.5 21 7.5 18 7 14 1.5 25 2.5 38 10.5 47 19 56.5 34 59 44 51.5 51.5 46 54.5 37 53 28Z';
  const eye = 'M42.5 15.5A3 3 0 1 0 42.5 21.5 3 3 0 1 0 42.5 15.5Z';
  const flame =
    'M31 52C21.5 50.5 17 43 20.5 34.5 22 37.5 23.5 38.5 25.5 39 24.5 33 27.5 28 33 25.5 32.5 30.5 35.5 32.5 38 36.5 41.5 42.5 39 50.5 31 52Z';
  const shape = `${bird}${eye}${flame}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><path fill="${colour}" fill-rule="evenodd" d="${shape}"/></svg>`;
}
