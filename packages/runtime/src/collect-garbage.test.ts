import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { collectorFlags } from './collect-garbage.ts';

it('has flags that V8 knows', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of collectorFlags) {
    const [name = ''] = flag.replace(/^--(no-)?/, '').split('=');
    expect(known).toMatch(new RegExp(`^\\s*--(no-)?${name}\\s`, 'm'));
  }
});
