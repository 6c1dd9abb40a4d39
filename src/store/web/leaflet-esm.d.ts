/** Leaflet's own ES module, of which the bundler keeps only what is used. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}
