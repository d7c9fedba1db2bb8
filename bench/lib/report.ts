import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseResult, type Figure, keeps } from './case.ts';
import type { Floor } from './floor.ts';
import type { Machine } from './machine.ts';
import { number, table } from './table.ts';

export function figuresTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    number(figure.value),
    figure.unit,
    markText(figure),
    verdict(figure),
    figure.floor === undefined ? '' : number(figure.floor.value),
    figure.floor === undefined ? '' : `${number(figure.value / figure.floor.value)}x  ${figure.floor.of}`,
  ]);
  return table(['figure', 'value', 'unit', 'mark', '', 'floor', 'to the floor'], rows);
}

function markText({ mark }: Figure): string {
  if (mark === undefined) return '';
  if (mark.atMost !== undefined) return `<= ${number(mark.atMost)}`;
  return `>= ${number(mark.atLeast!)}`;
}

function verdict(figure: Figure): string {
  const kept = keeps(figure);
  return kept === undefined ? '' : kept ? 'ok' : 'missed';
}

export interface Report {
  at: string;
  quick: boolean;
  machine: Machine;
  floor: Floor;
  cases: Record<string, CaseResult>;
}

/** Full runs are kept in bench/results; others in bench/results/local, which git ignores. */
export function writeReport(report: Report, whole: boolean): string {
  const folder = join(import.meta.dirname, '..', 'results', whole ? '' : 'local');
  mkdirSync(folder, { recursive: true });
  const stamp = report.at.slice(0, 16).replaceAll(':', '');
  const file = join(
    folder,
    `${stamp}-${report.machine.commit}${report.machine.changed ? '-changed' : ''}.json`,
  );
  const text = JSON.stringify(report, (_, value) => shortened(value), 2);
  writeFileSync(file, `${text}\n`);
  return file;
}

/** Five digits exceed the precision of any measurement here; counts and times stay whole. */
function shortened(value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
