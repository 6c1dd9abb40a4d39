/** Leaflet's own ES module, from which the bundler removes unused code. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}
