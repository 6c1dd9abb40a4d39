import { Button, Popover } from '@mantine/core';
import classes from '#kitchen/web/board/no-printer.module.css';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';

/** Says in the toolbar that the shop has no printer, and what follows from that. */
export function NoPrinter() {
  if (useHasPrinter() !== false) return null;
  return (
    <Popover width={280} position="bottom-start" shadow="md" withArrow>
      <Popover.Target>
        <Button
          variant="subtle"
          className={classes.noPrinter ?? ''}
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
