import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import classes from '#reports/web/reports.module.css';

interface ChartProps {
  rows: readonly { label: string; now: number; before?: number }[];
  names: { now: string; before: string };
  format: (value: number) => string;
}

const tick = { fill: 'var(--ink-soft)', fontSize: 12 };
const surface = { background: 'var(--surface)', border: '1px solid var(--line)', color: 'var(--ink)' };

/** Bars of takings. The same figures stand in a table beside it, so it is hidden from those who hear the page. */
export function SalesChart({ rows, names, format }: ChartProps) {
  const hasBefore = rows.some(({ before }) => before !== undefined);
  const bar = { isAnimationActive: false, maxBarSize: 48 };
  return (
    <div aria-hidden="true" className={classes.chart}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={rows.map((row) => ({ ...row }))} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="label" tick={tick} stroke="var(--line-strong)" />
          <YAxis width={72} tick={tick} stroke="var(--line-strong)" tickFormatter={format} />
          <Tooltip
            contentStyle={surface}
            cursor={{ fill: 'var(--sunken)' }}
            formatter={(value) => format(Number(value))}
          />
          {hasBefore && <Legend />}
          <Bar dataKey="now" name={names.now} fill="var(--accent)" {...bar} />
          {hasBefore && <Bar dataKey="before" name={names.before} fill="var(--line-strong)" {...bar} />}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
