import { useComputedColorScheme } from '@mantine/core';
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef } from 'react';
import classes from '#reports/web/reports.module.css';

interface ChartProps {
  rows: readonly { label: string; now: number; before?: number }[];
  names: { now: string; before: string };
  format: (value: number) => string;
}

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, Tooltip);

/** A bar chart of takings, hidden from screen readers because a table has the figures. */
export function SalesChart(props: ChartProps) {
  const scheme = useComputedColorScheme('light');
  return (
    <div aria-hidden="true" className={classes.chart}>
      <Bars key={scheme} {...props} />
    </div>
  );
}

function Bars({ rows, names, format }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const shown = canvas.current;
    if (!shown) return undefined;
    const draw = () => new Chart(shown, configure({ rows, names, format }));
    let chart = draw();
    const redraw = () => {
      chart.destroy();
      chart = draw();
    };
    // The chart is drawn again for printing, because paper has other colours than the screen.
    const paper = matchMedia('print');
    paper.addEventListener('change', redraw);
    return () => {
      paper.removeEventListener('change', redraw);
      chart.destroy();
    };
  }, [rows, names, format]);
  return <canvas ref={canvas} />;
}

function configure({ rows, names, format }: ChartProps): ChartConfiguration<'bar', number[], string> {
  const hasBefore = rows.some(({ before }) => before !== undefined);
  const now = { label: names.now, data: rows.map((row) => row.now), backgroundColor: colour('--accent') };
  const before = {
    label: names.before,
    data: rows.map((row) => row.before ?? NaN),
    backgroundColor: colour('--line-strong'),
  };
  // A canvas does not inherit the page's font.
  const family = getComputedStyle(document.body).fontFamily;
  const text = { color: colour('--ink-soft'), font: { family, size: 12 } };
  return {
    type: 'bar',
    data: { labels: rows.map(({ label }) => label), datasets: hasBefore ? [now, before] : [now] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      datasets: { bar: { maxBarThickness: 48 } },
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: { grid: { display: false }, border: { color: colour('--line-strong') }, ticks: text },
        y: {
          // Without this maximum, an axis of zeros would have marks for single pennies.
          suggestedMax: rows.some((row) => row.now > 0 || (row.before ?? 0) > 0) ? 0 : 1000,
          grid: { color: colour('--line') },
          border: { color: colour('--line-strong') },
          ticks: { ...text, callback: (value) => format(Number(value)) },
        },
      },
      plugins: {
        legend: { display: hasBefore, position: 'bottom', labels: text },
        tooltip: {
          backgroundColor: colour('--surface'),
          borderColor: colour('--line'),
          borderWidth: 1,
          titleColor: colour('--ink'),
          bodyColor: colour('--ink'),
          titleFont: { family },
          bodyFont: { family },
          callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${format(parsed.y ?? 0)}` },
        },
      },
    },
  };
}

function colour(name: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
