import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, release } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '..', 'test-results', 'faults');

/** Writes an experiment's findings to test-results/faults/<experiment>.json. */
export function writeReport(experiment: string, found: Record<string, unknown>): void {
  mkdirSync(folder, { recursive: true });
  const report = {
    experiment,
    at: new Date().toISOString(),
    machine: { cpus: cpus().length, model: cpus()[0]?.model, arch: arch(), kernel: release() },
    node: process.version,
    ...found,
  };
  const file = join(folder, `${experiment.replaceAll(/\W+/g, '-').toLowerCase()}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
