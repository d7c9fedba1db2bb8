import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chart, valuesOf } from '../../../scripts/cluster/homes.ts';
import { get, homeA, must, talkInside } from '../support.ts';
import type { Resource } from './steps.ts';

/** Upgrade paths that would lose data or skip a version: refused with an explanation, and the home keeps running. */
export async function paths(): Promise<void> {
  const { release } = homeA;
  const state = () =>
    get(homeA, 'deployments').items.map(({ metadata }: Resource) => [metadata.name, metadata.generation]);
  const before = JSON.stringify(state());
  const refuse = (from: string, values: object, words: string) => {
    const args = ['upgrade', release, from, '--namespace', release, '--values', '-'];
    const { status: code, stderr } = spawnSync('helm', args, {
      encoding: 'utf8',
      input: JSON.stringify({ ...valuesOf(homeA), ...values }),
    });
    must(`helm refuses it: ${words}`, code !== 0 && stderr.includes(words), { code, stderr });
  };
  const elsewhere = mkdtempSync(join(tmpdir(), 'hearth-chart-'));
  try {
    cpSync(chart, elsewhere, { recursive: true });
    const file = join(elsewhere, 'Chart.yaml');
    const text = readFileSync(file, 'utf8');
    const [, major, minor] = text.match(/^appVersion: (\d+)\.(\d+)/m) ?? [];
    const version = `${major}.${Number(minor) + 2}.0`;
    writeFileSync(file, text.replace(/^appVersion: .*/m, `appVersion: ${version}`));
    refuse(elsewhere, {}, `this chart is ${version}, which leaves versions out`);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
  refuse(chart, { mode: 'single' }, 'mode single would begin with an empty database');
  refuse(chart, { embedded: { enabled: false } }, 'mode split needs a Postgres');
  must('nothing of the home has changed', JSON.stringify(state()) === before);
  await talkInside();
}
