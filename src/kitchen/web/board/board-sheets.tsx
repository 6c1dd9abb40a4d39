import { Link } from 'wouter';
import classes from '#kitchen/web/board/dish-counts.module.css';
import panels from '#kitchen/web/board/panels.module.css';
import { countOpenDishes, type DishCount } from '#kitchen/dish-counts.ts';
import { stationKey } from '#ordering/order-words.ts';
import { useStation } from '#kitchen/web/board/use-station.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { type BoardLanguage, boardLanguages } from '#platform/languages.ts';
import { useScreenLanguage } from '#platform/web/screen-language.ts';
import { ButtonChoice } from '#kitchen/web/board/button-choice.tsx';
import { boardSettingValues, changeBoardSettings, useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';

/** The total pieces of each dish and choice to cook, by station; the board's own station is first. */
export function DishCounts({ orders }: { orders: Order[] }) {
  const own = stationKey(useStation());
  const isOwn = ({ station }: { station: string }) => own !== '' && stationKey(station) === own;
  const stations = countOpenDishes(orders).toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  return (
    <div className={panels.stack}>
      <p className={panels.soft}>{m.kitchen_counts_hint()}</p>
      {stations.length === 0 && <p className={panels.empty}>{m.kitchen_counts_none()}</p>}
      {stations.map(({ station, dishes, choices }) => (
        <section key={station} data-station={station}>
          {(stations.length > 1 || station !== '') && <h3>{station || m.kitchen_counts_no_station()}</h3>}
          <Counts counts={dishes} />
          {choices.length > 0 && (
            <>
              <h4 className={classes.choices}>{m.kitchen_counts_choices()}</h4>
              <Counts counts={choices} />
            </>
          )}
        </section>
      ))}
    </div>
  );
}

function Counts({ counts }: { counts: DishCount[] }) {
  return (
    <ul className={classes.counts}>
      {counts.map(({ name, toCook, unanswered }) => (
        <li key={name} data-dish-count={toCook}>
          <strong>{toCook}</strong>
          <span>{name}</span>
          {unanswered > 0 && <span className={panels.soft}>{m.kitchen_counts_new({ count: unanswered })}</span>}
        </li>
      ))}
    </ul>
  );
}

const textWords = {
  small: m.kitchen_settings_text_small,
  medium: m.kitchen_settings_text_medium,
  large: m.kitchen_settings_text_large,
};

const sortWords = { due: m.kitchen_settings_sort_due, arrival: m.kitchen_settings_sort_arrival };
const screens = [
  { path: '/kitchen/wall', words: m.kitchen_wall_title },
  { path: '/kitchen/ready', words: m.kitchen_ready_title },
];

const tapWords = { nothing: m.kitchen_settings_tap_nothing, step: m.kitchen_settings_tap_step };

export function BoardSettingsPanel() {
  const { text, sort, tap, language } = useBoardSettings();
  return (
    <div className={panels.stack}>
      <p className={panels.soft}>{m.kitchen_settings_hint()}</p>
      <section>
        <h3 id="board-text-size">{m.kitchen_settings_text()}</h3>
        <ButtonChoice
          labelledBy="board-text-size"
          options={boardSettingValues.text.map((value) => ({ value, label: textWords[value]() }))}
          value={text}
          onChange={(value) => changeBoardSettings({ text: value })}
        />
      </section>
      <section>
        <h3 id="board-sort">{m.kitchen_settings_sort()}</h3>
        <ButtonChoice
          labelledBy="board-sort"
          options={boardSettingValues.sort.map((value) => ({ value, label: sortWords[value]() }))}
          value={sort}
          onChange={(value) => changeBoardSettings({ sort: value })}
        />
      </section>
      <section>
        <h3 id="board-tap">{m.kitchen_settings_tap()}</h3>
        <p className={panels.soft}>{m.kitchen_settings_tap_hint()}</p>
        <ButtonChoice
          labelledBy="board-tap"
          options={boardSettingValues.tap.map((value) => ({ value, label: tapWords[value]() }))}
          value={tap}
          onChange={(value) => changeBoardSettings({ tap: value })}
        />
      </section>
      <section>
        <h3>{m.kitchen_settings_screens()}</h3>
        <p className={panels.soft}>{m.kitchen_settings_screens_hint()}</p>
        <ul className={panels.screens}>
          {screens.map(({ path, words }) => (
            <li key={path}>
              <Link href={path}>{words()}</Link>
              <code>{location.host + path}</code>
            </li>
          ))}
        </ul>
      </section>
      {location.pathname === '/kitchen' && <LanguageChoice language={language} />}
    </div>
  );
}

function LanguageChoice({ language }: { language: BoardLanguage }) {
  const { name, isByMachine } = boardLanguages[language];
  const isShown = useScreenLanguage() === language;
  return (
    <section>
      <h3 id="board-language">{m.kitchen_settings_language()}</h3>
      <ButtonChoice
        labelledBy="board-language"
        options={boardSettingValues.language.map((value) => ({ value, label: boardLanguages[value].name }))}
        value={language}
        onChange={(value) => changeBoardSettings({ language: value })}
      />
      {isByMachine && <p className={panels.soft}>{m.kitchen_settings_language_machine()}</p>}
      {!isShown && <p role="status">{m.kitchen_settings_language_waits({ language: name })}</p>}
    </section>
  );
}
