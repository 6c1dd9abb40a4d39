import { ActionIcon, Button, Menu, Popover } from '@mantine/core';
import { cookingBeginsAt, type OrdersByStage } from '#kitchen/board-layout.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import type { BoardPanel } from '#kitchen/web/board/board-panels.tsx';
import { boardMomentWords, lastMessageAgeWords } from '#kitchen/web/board-words.ts';
import columnClasses from '#kitchen/web/board/board-columns.module.css';
import classes from '#kitchen/web/board/board-toolbar.module.css';
import { endShift, muteShift, startShift, useShift } from '#kitchen/web/board/shift.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { BoardKeys } from '#kitchen/web/board/use-board-keys.ts';
import { useBoardConnection, useSecondsSinceMessage } from '#kitchen/web/board/use-board-connection.ts';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { moveNoticesToTop } from '#ui/web/office/notice-placement.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { useChannelState } from '#realtime/web/use-channel.ts';
import noPrinterClasses from '#kitchen/web/board/no-printer.module.css';

interface ToolbarProps {
  columns: OrdersByStage;
  /** How many boards of the store are switched on; null while unknown. */
  boards: number | null;
  keys: BoardKeys;
  isNarrow: boolean;
  openPanel: (panel: BoardPanel) => void;
}

export function BoardToolbar({ columns, boards, keys, isNarrow, openPanel }: ToolbarProps) {
  const shift = useShift();
  return (
    <div className={classes.toolbar} ref={moveNoticesToTop}>
      <h1 className="visually-hidden">{m.kitchen_board_title()}</h1>
      <LivePill boards={boards} />
      {/* The kitchen's app shows its tablet's state here (`TabletStatus`). */}
      <div id="board-tablet" />
      {!isNarrow && <NoPrinter />}
      <div className={classes.tools}>
        {isNarrow ? (
          <>
            <MoreMenu openPanel={openPanel} />
            <SoldOutButton openPanel={openPanel} />
          </>
        ) : (
          <>
            <Button
              variant="default"
              leftSection={<Icon name="plus" />}
              onClick={() => openPanel({ kind: 'new-order' })}
            >
              {m.kitchen_till_open()}
            </Button>
            <Button variant="default" onClick={() => openPanel({ kind: 'counts' })}>
              {m.kitchen_counts_title()}
            </Button>
            <SoldOutButton openPanel={openPanel} />
            <Button variant="default" onClick={() => openPanel({ kind: 'history' })}>
              {m.kitchen_history_title()}
            </Button>
            <LaterButton columns={columns} onClick={() => openPanel({ kind: 'later' })} />
            <Button variant="default" onClick={() => openPanel({ kind: 'done' })}>
              {m.kitchen_board_stage_done()}
              <span className={columnClasses.count}>{columns.done.length}</span>
            </Button>
            <ActionIcon
              variant="default"
              className={classes.keys}
              aria-pressed={keys.areOn}
              aria-label={m.kitchen_board_keys_on()}
              title={m.kitchen_board_keys_on()}
              onClick={keys.toggle}
            >
              <Icon name="keyboard" />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={m.kitchen_settings_title()}
              onClick={() => openPanel({ kind: 'settings' })}
            >
              <Icon name="filter" />
            </ActionIcon>
          </>
        )}
        {shift.isOn && shift.sound !== 'muted' && (
          <ActionIcon
            variant="default"
            aria-label={m.kitchen_board_mute()}
            title={m.kitchen_board_mute()}
            onClick={() => muteShift(true)}
          >
            <Icon name="bellOff" />
          </ActionIcon>
        )}
        {shift.isOn ? (
          <Button variant="default" classNames={{ label: classes.twoLines ?? '' }} onClick={endShift}>
            {m.kitchen_board_shift_end()}
          </Button>
        ) : (
          <Button leftSection={<Icon name="bell" />} onClick={() => void startShift()}>
            {m.kitchen_board_shift_start()}
          </Button>
        )}
      </div>
    </div>
  );
}

function SoldOutButton({ openPanel }: Pick<ToolbarProps, 'openPanel'>) {
  return (
    <Button
      variant="default"
      classNames={{ label: classes.twoLines ?? '' }}
      onClick={() => openPanel({ kind: 'sold-out' })}
    >
      {m.kitchen_stock_title()}
    </Button>
  );
}

function MoreMenu({ openPanel }: Pick<ToolbarProps, 'openPanel'>) {
  const hasPrinter = useHasPrinter();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={m.kitchen_board_tools()}>
          <Icon name="plus" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => openPanel({ kind: 'new-order' })}>{m.kitchen_till_open()}</Menu.Item>
        <Menu.Item onClick={() => openPanel({ kind: 'counts' })}>{m.kitchen_counts_title()}</Menu.Item>
        <Menu.Item onClick={() => openPanel({ kind: 'history' })}>{m.kitchen_history_title()}</Menu.Item>
        <Menu.Item onClick={() => openPanel({ kind: 'settings' })}>{m.kitchen_settings_title()}</Menu.Item>
        {hasPrinter === false && <Menu.Label>{m.kitchen_board_no_printer()}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}

function LaterButton({ columns, onClick }: { columns: OrdersByStage; onClick: () => void }) {
  const { store } = useBoardControls();
  const [next] = columns.later;
  const hint = next
    ? m.kitchen_board_later_next({
        time: boardMomentWords(new Date(cookingBeginsAt(next, store)).toISOString(), shopNow(), store.timezone),
      })
    : undefined;
  return (
    <Button variant="default" title={hint} onClick={onClick}>
      {m.kitchen_board_stage_later()}
      <span className={columnClasses.count}>{columns.later.length}</span>
      {hint && <span className={classes.hint}>{hint}</span>}
    </Button>
  );
}

function LivePill({ boards }: { boards: number | null }) {
  const { store } = useBoardControls();
  const state = useChannelState(storeOrdersChannelName(store.id));
  const line = useBoardConnection(store.id);
  const seconds = useSecondsSinceMessage();
  if (line === 'joining') return <p className={classes.live} data-connection={state} data-line={line} />;
  return (
    <p className={classes.live} data-connection={state} data-line={line}>
      <span aria-hidden="true" />
      <strong>{lineWords[line]()}</strong> {seconds !== null && lastMessageAgeWords(seconds)}
      {line === 'live' && boards !== null && boards > 1 && ` · ${m.kitchen_board_other_boards({ count: boards })}`}
    </p>
  );
}

const lineWords = {
  live: m.kitchen_board_live,
  late: m.kitchen_board_line_late,
  dead: m.kitchen_board_line_dead,
};

function NoPrinter() {
  if (useHasPrinter() !== false) return null;
  return (
    <Popover width={280} position="bottom-start" shadow="md" withArrow>
      <Popover.Target>
        <Button
          variant="subtle"
          className={noPrinterClasses.noPrinter ?? ''}
          leftSection={<Icon name="print" />}
          aria-label={m.kitchen_board_no_printer()}
        >
          {m.kitchen_board_no_printer()}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{m.kitchen_board_no_printer_means()}</Popover.Dropdown>
    </Popover>
  );
}
