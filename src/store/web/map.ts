import 'leaflet/dist/leaflet.css';
import './map.css';
import { control, divIcon, map as createMap, marker as createMarker, tileLayer } from 'leaflet/dist/leaflet-src.esm.js';

export interface MapPoint {
  latitude: number;
  longitude: number;
}

/** The source of a map's tiles: a URL with `{z}`, `{x}` and `{y}`, and the credit to show, as HTML. */
export interface MapTiles {
  url: string;
  attribution: string;
}

export interface MapPlace {
  name: string;
  location: MapPoint;
}

export interface MapOptions {
  at: MapPoint;
  tiles: MapTiles;
  label: string;
  places?: readonly MapPlace[];
  /** The zoom from 0, the whole world, to 19, a single house. */
  zoom?: number;
  /**
   * Called with the new position of a moved pin; if missing, the pin cannot be moved. A page with a movable pin must
   * also have inputs for the coordinates, because not everyone can drag the pin.
   */
  onMove?: (point: MapPoint) => void;
}

export interface MapHandle {
  /** Moves the pin, and scrolls the map to it. */
  moveTo(point: MapPoint): void;
  remove(): void;
}

/**
 * Draws a map with a pin into an element that has a height. This file must be imported lazily, because it loads
 * Leaflet. Scrolling over the map scrolls the page, and does not zoom.
 */
export function showMap(
  element: HTMLElement,
  { at, tiles, label, places = [], zoom = 16, onMove }: MapOptions,
): MapHandle {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const still = { zoomAnimation: !isCalm, fadeAnimation: !isCalm, markerZoomAnimation: !isCalm };
  const map = createMap(element, { ...still, scrollWheelZoom: false }).setView(toLatLng(at), zoom);
  map.attributionControl.setPrefix(false);
  tileLayer(tiles.url, { attribution: tiles.attribution, maxZoom: 19 }).addTo(map);
  if (onMove) control.scale().addTo(map);
  for (const { name, location } of places) {
    // `textContent` is used, because it escapes the name.
    const words = Object.assign(document.createElement('span'), { textContent: name });
    const nameIcon = divIcon({ className: 'map-place', html: words, iconSize: [72, 24] });
    createMarker(toLatLng(location), { icon: nameIcon, interactive: false, keyboard: false }).addTo(map);
  }
  const icon = divIcon({ className: 'map-pin', html: pin, iconSize: [40, 48], iconAnchor: [20, 46] });
  const isMovable = onMove !== undefined;
  const marker = createMarker(toLatLng(at), { icon, alt: label, title: label, draggable: isMovable, autoPan: true });
  marker.addTo(map);
  if (onMove) {
    const tell = () => {
      const { lat, lng } = marker.getLatLng();
      onMove({ latitude: round(lat), longitude: round(lng) });
    };
    marker.on('dragend', tell);
    map.on('click', ({ latlng }) => {
      marker.setLatLng(latlng);
      tell();
    });
  }
  return {
    moveTo(point) {
      marker.setLatLng(toLatLng(point));
      map.panTo(toLatLng(point), { animate: !isCalm });
    },
    remove: () => void map.remove(),
  };
}

const pin =
  '<svg viewBox="0 0 40 48" aria-hidden="true"><path d="M20 46S4 30 4 19a16 16 0 0 1 32 0c0 11-16 27-16 27Z"/><circle cx="20" cy="19" r="6"/></svg>';

function toLatLng({ latitude, longitude }: MapPoint): [number, number] {
  return [latitude, longitude];
}

/** Rounds to the sixth decimal, a tenth of a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1_000_000) / 1_000_000;
}
