import { Button } from '@mantine/core';
import { Banner } from '#kitchen/web/board/banner.tsx';
import type { StationView } from '#kitchen/web/board/use-station.ts';
import { m } from '#messages';

/** Says that this board is for one station, and how many orders it leaves to others. */
export function StationBanner({ view: { station, others, showsAll, showAll } }: { view: StationView }) {
  if (station === '') return null;
  return (
    <Banner icon="board">
      <span>{showsAll ? m.kitchen_station_all({ station }) : m.kitchen_station_own({ station, count: others })}</span>
      <Button variant="default" size="compact-md" onClick={() => showAll(!showsAll)}>
        {showsAll ? m.kitchen_station_show_own({ station }) : m.kitchen_station_show_all()}
      </Button>
    </Banner>
  );
}
