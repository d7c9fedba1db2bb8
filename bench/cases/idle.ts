import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type Layout, startBenchHome } from '../lib/home.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { startSpanCounter } from '../lib/span-counter.ts';
import { number } from '../lib/table.ts';

/** By then the startup work is done, and Postgres has analyzed the new tables. */
const restMs = 90_000;
const minuteMs = 60_000;
const marks = { 'own-postgres': 0.5, split: 2 } as const;

/** The cost of an idle home. */
export const idle: Case = {
  name: 'idle',
  about: 'CPU of a home at which nothing happens, its servers included; statements and spans',
  run: eachLayout(['own-postgres', 'split'], measure),
};

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: unknown }> {
  const measureMs = bench.quick ? minuteMs / 2 : 2 * minuteMs;
  const { cpu, statements } = await withoutTelemetry(bench, layout, measureMs);
  const spans = await spansOf(bench, layout, measureMs);
  const seconds = measureMs / 1_000;
  const perSecond = sumValues(statements) / seconds;
  const isOneProcess = layout === 'own-postgres';
  return {
    details: { seconds, cpu, statements: Object.fromEntries(statements), spans: Object.fromEntries(spans) },
    figures: [
      {
        name: `${layout}: CPU`,
        value: sumOf(cpu) / (measureMs * 10),
        unit: '% of a core',
        mark: { atMost: marks[layout as keyof typeof marks] },
      },
      {
        name: `${layout}: statements a second`,
        value: perSecond,
        unit: '',
        ...(isOneProcess && { mark: { atMost: 1 } }),
      },
      {
        name: `${layout}: spans a minute`,
        value: (sumValues(spans) * minuteMs) / measureMs,
        unit: '',
        ...(isOneProcess && { mark: { atMost: 10 } }),
      },
    ],
  };
}

/** A home that, like most, exports no telemetry. */
async function withoutTelemetry(bench: Bench, layout: Layout, measureMs: number) {
  const home = await startBenchHome({
    layout,
    postgres: { shared_preload_libraries: 'pg_stat_statements' },
  });
  const client = new pg.Client({ connectionString: home.databaseUrl! });
  try {
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements');
    await sleep(bench.quick ? restMs / 3 : restMs);
    await client.query('select pg_stat_statements_reset()');
    const before = home.cpu();
    await sleep(measureMs);
    const cpu = cpuBetween(before, home.cpu());
    const { rows } = await client.query<{ text: string; calls: string }>(
      `select query as text, calls from pg_stat_statements
       where query not like '%pg_stat_statements%' order by calls desc`,
    );
    const statements = new Map(rows.map(({ text, calls }) => [brief(text), Number(calls)]));
    sayMost(bench, `${layout}: statements in ${measureMs / 1_000} s`, statements);
    sayMost(bench, `${layout}: CPU ms in ${measureMs / 1_000} s`, new Map(inMs(cpu)));
    return { cpu, statements };
  } finally {
    await client.end();
    await home.stop();
  }
}

async function spansOf(bench: Bench, layout: Layout, measureMs: number): Promise<Map<string, number>> {
  const counter = await startSpanCounter();
  const home = await startBenchHome({ layout, env: counter.env });
  try {
    await sleep(bench.quick ? restMs / 3 : restMs);
    counter.take();
    await sleep(measureMs);
    const spans = counter.take();
    sayMost(bench, `${layout}: spans in ${measureMs / 1_000} s`, spans);
    return spans;
  } finally {
    await home.stop();
    counter.stop();
  }
}

function inMs(cpu: Record<string, number>): [string, number][] {
  return Object.entries(cpu).map(([name, us]) => [name, us / 1_000]);
}

function sayMost(bench: Bench, what: string, counts: Map<string, number>): void {
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, 40);
  bench.say(`${what}:\n${most.map(([name, count]) => `  ${number(count).padStart(8)}  ${name}`).join('\n')}`);
}

const brief = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 100);

function sumValues(counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
