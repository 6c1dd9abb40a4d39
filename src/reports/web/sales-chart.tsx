import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import classes from '#reports/web/reports.module.css';

interface ChartProps {
  rows: readonly { label: string; now: number; before?: number }[];
  names: { now: string; before: string };
  format: (value: number) => string;
}

/** Bars of takings. The same figures stand in a table beside it, so it is hidden from those who hear the page. */
export function SalesChart({ rows, names, format }: ChartProps) {
  const hasBefore = rows.some(({ before }) => before !== undefined);
  return (
    <div aria-hidden="true" className={classes.chart}>
      <BarChart
        h={260}
        data={rows.map((row) => ({ ...row }))}
        dataKey="label"
        series={[
          { name: 'now', label: names.now, color: 'var(--accent)' },
          ...(hasBefore ? [{ name: 'before', label: names.before, color: 'var(--line-strong)' }] : []),
        ]}
        withLegend={hasBefore}
        valueFormatter={format}
        yAxisProps={{ width: 72 }}
        maxBarWidth={48}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
