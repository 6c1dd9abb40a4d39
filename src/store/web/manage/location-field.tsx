import { Button, Checkbox, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { readPageData } from '#platform/web/page-data.ts';
import { NumberField } from '#store/web/manage/fields.tsx';
import classes from '#store/web/manage/location-field.module.css';
import manage from '#store/web/manage/manage.module.css';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { type MapPlace, type MapPoint, type MapHandle, showMap } from '#store/web/map.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

/** The empty ground of the map without a map service. The pin can still be moved on it. */
const plainGround = {
  url: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  attribution: '',
};
const noPlaces: readonly MapPlace[] = [];
/** The degrees of one step by arrow key or button, about ten metres. With the shift key a step is ten times as long. */
const step = 0.0001;
const ways: Record<string, [north: number, east: number]> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * The map with the shop's pin at `at`. The pin moves by pointer, arrow key or button. Moving the pin confirms the
 * location.
 */
export function PinChooser({
  draft,
  at,
  places = noPlaces,
}: {
  draft: StoreDraft;
  at: MapPoint;
  places?: readonly MapPlace[];
}) {
  const { map: tiles } = readPageData().config;
  const move = (north: number, east: number): void =>
    setPinPosition(draft, {
      latitude: round(clamp(at.latitude + north, 90)),
      longitude: round(clamp(at.longitude + east, 180)),
    });
  return (
    <>
      <PinMap
        at={at}
        label={m.store_manage_pin({ name: draft.preview.name })}
        tiles={tiles ?? plainGround}
        places={places}
        // A map without streets is zoomed out, so that the names around the pin orient the owner.
        zoom={tiles || places.length === 0 ? 16 : 13}
        onMove={(point) => setPinPosition(draft, point)}
        onStep={move}
      />
      <Steps onMove={move} />
    </>
  );
}

export function setPinPosition(draft: StoreDraft, point: MapPoint): void {
  draft.set('location', point);
  draft.set('location_confirmed', true);
}

export function LocationField({ draft }: { draft: StoreDraft }) {
  const { location, location_confirmed: isConfirmed, delivery_zones: zones } = draft.preview;
  const { map: tiles } = readPageData().config;
  const place = (point: MapPoint): void => setPinPosition(draft, point);
  return (
    <fieldset className={manage.panel}>
      <legend>{m.store_manage_location()}</legend>
      <p className={manage.soft}>{m.store_manage_location_hint()}</p>
      <PinChooser draft={draft} at={location} />
      {!isConfirmed && !tiles && <p className={manage.warn}>{m.store_manage_pin_unset()}</p>}
      {/* The checkbox is hidden on a blank map, because nobody can check there whether an unmoved pin is right. */}
      {!draft.store.location_confirmed && (isConfirmed || tiles) && (
        <Checkbox
          name="location_confirmed"
          label={m.store_manage_pin_right()}
          description={m.store_manage_pin_right_hint()}
          checked={isConfirmed}
          onChange={(event) => {
            const isRight = event.currentTarget.checked;
            draft.set('location_confirmed', isRight);
            if (!isRight) draft.set('location', draft.store.location);
          }}
        />
      )}
      {!tiles && <p className={manage.soft}>{m.store_manage_map_plain()}</p>}
      {zones.length > 0 && (
        <p className={manage.soft}>
          {m.store_manage_map_zones({
            zones: zones.map((zone) => `${zone.name} (${zone.postcode_prefixes.join(', ')})`).join('; '),
          })}
        </p>
      )}
      <FieldColumns>
        <NumberField
          isDecimal
          name="location.latitude"
          label={m.store_manage_latitude()}
          value={location.latitude}
          error={draft.errorAt('location.latitude')}
          onChange={(latitude) => place({ ...location, latitude: latitude ?? 0 })}
        />
        <NumberField
          isDecimal
          name="location.longitude"
          label={m.store_manage_longitude()}
          value={location.longitude}
          error={draft.errorAt('location.longitude')}
          onChange={(longitude) => place({ ...location, longitude: longitude ?? 0 })}
        />
      </FieldColumns>
    </fieldset>
  );
}

function Steps({ onMove }: { onMove: (north: number, east: number) => void }) {
  return (
    <Group gap="xs" role="group" aria-label={m.store_manage_pin_move()}>
      <Button variant="default" onClick={() => onMove(step, 0)}>
        {m.store_manage_pin_north()}
      </Button>
      <Button variant="default" onClick={() => onMove(-step, 0)}>
        {m.store_manage_pin_south()}
      </Button>
      <Button variant="default" onClick={() => onMove(0, -step)}>
        {m.store_manage_pin_west()}
      </Button>
      <Button variant="default" onClick={() => onMove(0, step)}>
        {m.store_manage_pin_east()}
      </Button>
    </Group>
  );
}

interface PinProps {
  at: MapPoint;
  label: string;
  tiles: { url: string; attribution: string };
  places: readonly MapPlace[];
  zoom: number;
  onMove: (point: MapPoint) => void;
  onStep: (north: number, east: number) => void;
}

function PinMap({ at, label, tiles, places, zoom, onMove, onStep }: PinProps) {
  const element = useRef<HTMLDivElement>(null);
  const shown = useRef<MapHandle>(null);
  const latest = useRef({ at, onMove, onStep });
  // The effect depends on the places' JSON, because a refetch with equal places must not draw the map again.
  const names = JSON.stringify(places);
  useEffect(() => {
    latest.current = { at, onMove, onStep };
    const isPlace = Math.abs(at.latitude) <= 85 && Math.abs(at.longitude) <= 180;
    if (isPlace) shown.current?.moveTo(at);
  }, [at, onMove, onStep]);
  useEffect(() => {
    const root = element.current;
    if (!root) return undefined;
    const map = showMap(root, {
      at: latest.current.at,
      tiles,
      label,
      places: JSON.parse(names) as MapPlace[],
      zoom,
      onMove: (point) => latest.current.onMove(point),
    });
    shown.current = map;
    // While the pin has the focus, arrow keys move the pin, and not the map.
    const onKey = (event: KeyboardEvent): void => {
      const way = ways[event.key];
      const isPin = event.target instanceof Element && event.target.closest('.map-pin') !== null;
      if (!way || !isPin) return;
      event.preventDefault();
      event.stopPropagation();
      const length = event.shiftKey ? step * 10 : step;
      latest.current.onStep(way[0] * length, way[1] * length);
    };
    root.addEventListener('keydown', onKey, true);
    return () => {
      root.removeEventListener('keydown', onKey, true);
      shown.current = null;
      map.remove();
    };
  }, [tiles, label, names, zoom]);
  return <div ref={element} className={classes.map} role="region" aria-label={label} />;
}

function clamp(degrees: number, most: number): number {
  return Math.min(most, Math.max(-most, degrees));
}

/** Rounds to the sixth decimal, a tenth of a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1_000_000) / 1_000_000;
}
