import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { collectorFlags } from './collect-garbage.ts';

it('has flags that V8 knows', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of collectorFlags) {
    const [name = ''] = flag.replace(/^--(no-)?/, '').split('=');
    expect(known).toMatch(new RegExp(`^\\s*--(no-)?${name}\\s`, 'm'));
  }
});

it('gives back what a start left, and leaves nothing in the program that can collect', () => {
  const script = `
    import { collectAfterStart } from ${JSON.stringify(join(import.meta.dirname, 'collect-garbage.ts'))};
    let left = Array.from({ length: 200_000 }, () => ({}));
    left = undefined;
    const before = process.memoryUsage().heapUsed;
    collectAfterStart();
    console.log(before - process.memoryUsage().heapUsed, typeof globalThis.gc);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const [freed = '', gc] = said.trim().split(' ');
  expect(Number(freed)).toBeGreaterThan(5_000_000);
  expect(gc).toBe('undefined');
});
