import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button that opens a page of another company beside the office. */
export function OutsideLink({ to, isMain = false, children }: { to: string; isMain?: boolean; children: ReactNode }) {
  return (
    <Button component="a" href={to} target="_blank" rel="noreferrer" variant={isMain ? 'filled' : 'default'}>
      {children} ↗
    </Button>
  );
}
